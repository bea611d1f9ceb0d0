/** What databases do differently. */
@NullMarked
package dev.twophase.jdbc.internal.dialect;

import org.jspecify.annotations.NullMarked;
