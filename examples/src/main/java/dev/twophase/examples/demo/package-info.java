/** The demo's command line: two runs side by side, a recount, a table. */
@NullMarked
package dev.twophase.examples.demo;

import org.jspecify.annotations.NullMarked;
