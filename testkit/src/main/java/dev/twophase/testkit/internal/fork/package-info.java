/** The process of its own in which the cluster tier runs: what kills it kills no test. */
@NullMarked
package dev.twophase.testkit.internal.fork;

import org.jspecify.annotations.NullMarked;
