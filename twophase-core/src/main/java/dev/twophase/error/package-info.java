/** What the protocol throws, each kind with what to do about it. */
@NullMarked
package dev.twophase.error;

import org.jspecify.annotations.NullMarked;
