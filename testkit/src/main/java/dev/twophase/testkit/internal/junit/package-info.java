/** How schedules become tests of JUnit 5. */
@NullMarked
package dev.twophase.testkit.internal.junit;

import org.jspecify.annotations.NullMarked;
