/** What the adapters to Flink's function API need besides the protocol engine. */
@NullMarked
package dev.twophase.internal.function;

import org.jspecify.annotations.NullMarked;
