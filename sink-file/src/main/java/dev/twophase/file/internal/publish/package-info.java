/** From the handle to the visible file. */
@NullMarked
package dev.twophase.file.internal.publish;

import org.jspecify.annotations.NullMarked;
