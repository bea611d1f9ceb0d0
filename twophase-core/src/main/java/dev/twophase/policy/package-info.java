/** What a job author chooses: guarantee, patience, and what to do about loss and rewinds. */
@NullMarked
package dev.twophase.policy;

import org.jspecify.annotations.NullMarked;
