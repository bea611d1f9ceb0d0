/**
 * Faults on the wire: a proxy on the loopback that cuts and stalls connections and loses the reply
 * to a chosen request, with evidence of what the server had answered.
 */
@NullMarked
package dev.twophase.testkit.proxy;

import org.jspecify.annotations.NullMarked;
