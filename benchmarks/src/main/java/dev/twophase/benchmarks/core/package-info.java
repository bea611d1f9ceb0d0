/** What the adapters cost per record. */
@NullMarked
package dev.twophase.benchmarks.core;

import org.jspecify.annotations.NullMarked;
