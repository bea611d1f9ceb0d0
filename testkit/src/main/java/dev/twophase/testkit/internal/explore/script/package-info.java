/** What a run does when nothing goes wrong, and leading one run through it, choice by choice. */
@NullMarked
package dev.twophase.testkit.internal.explore.script;

import org.jspecify.annotations.NullMarked;
