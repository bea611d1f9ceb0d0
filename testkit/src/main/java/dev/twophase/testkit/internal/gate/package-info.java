/** Where faults happen: every decorated call of a sink passes the gate of its attempt. */
@NullMarked
package dev.twophase.testkit.internal.gate;

import org.jspecify.annotations.NullMarked;
