/**
 * The operator tier: any Flink sink, expanded by Flink's own translator, each operator in a lean
 * harness.
 */
@NullMarked
package dev.twophase.testkit.internal.operator;

import org.jspecify.annotations.NullMarked;
