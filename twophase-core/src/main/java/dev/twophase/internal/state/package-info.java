/** Binary forms of everything that enters a checkpoint (S1). */
@NullMarked
package dev.twophase.internal.state;

import org.jspecify.annotations.NullMarked;
