/** What a proxy must know of a protocol: its messages, and which reply answers what. */
@NullMarked
package dev.twophase.testkit.proxy.wire;

import org.jspecify.annotations.NullMarked;
