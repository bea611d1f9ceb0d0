/** Committing by ledger: one local transaction for the rows and the proof. */
@NullMarked
package dev.twophase.jdbc.internal.ledger;

import org.jspecify.annotations.NullMarked;
