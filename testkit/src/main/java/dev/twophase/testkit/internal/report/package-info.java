/** Pages and files that show what a run was: for people first, then for programs. */
@NullMarked
package dev.twophase.testkit.internal.report;

import org.jspecify.annotations.NullMarked;
