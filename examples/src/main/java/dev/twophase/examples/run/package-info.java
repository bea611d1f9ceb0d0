/** One run of the demo's job in a cluster of its own, in a process of its own. */
@NullMarked
package dev.twophase.examples.run;

import org.jspecify.annotations.NullMarked;
