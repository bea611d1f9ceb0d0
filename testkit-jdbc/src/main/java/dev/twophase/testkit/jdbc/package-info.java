/** Real databases for tests: started by the test, killed by the test, gone with the test. */
@NullMarked
package dev.twophase.testkit.jdbc;

import org.jspecify.annotations.NullMarked;
