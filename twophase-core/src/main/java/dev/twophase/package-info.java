/**
 * What a sink author implements and the values of the protocol.
 *
 * <p>Data flows one way: record → transaction → handle → checkpoint → commit → outcome. {@link
 * dev.twophase.TransactionalConnector} is the place to start. The rule numbers in the javadoc (W1,
 * C2, …) refer to the protocol rules in {@code docs/protocol.md}.
 */
@NullMarked
package dev.twophase;

import org.jspecify.annotations.NullMarked;
