/** How rows are held in buffers, handles and staging tables. */
@NullMarked
package dev.twophase.jdbc.internal.rows;

import org.jspecify.annotations.NullMarked;
