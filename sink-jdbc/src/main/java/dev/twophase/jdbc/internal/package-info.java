/** The connectors behind the builder. */
@NullMarked
package dev.twophase.jdbc.internal;

import org.jspecify.annotations.NullMarked;
