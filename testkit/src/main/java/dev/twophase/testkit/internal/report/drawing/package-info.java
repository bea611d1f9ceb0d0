/** Markup, and the drawing of a trace as lanes of an SVG. */
@NullMarked
package dev.twophase.testkit.internal.report.drawing;

import org.jspecify.annotations.NullMarked;
