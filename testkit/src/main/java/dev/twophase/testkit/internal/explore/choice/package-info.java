/** What can go wrong where, which of it one run chooses, and how often each came about. */
@NullMarked
package dev.twophase.testkit.internal.explore.choice;

import org.jspecify.annotations.NullMarked;
