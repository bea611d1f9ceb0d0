/** The test kit: injects failures into a sink and judges what became visible. */
@NullMarked
package dev.twophase.testkit;

import org.jspecify.annotations.NullMarked;
