/** The one-line text form of what the kit executes: steps and faults. */
@NullMarked
package dev.twophase.testkit.schedule;

import org.jspecify.annotations.NullMarked;
