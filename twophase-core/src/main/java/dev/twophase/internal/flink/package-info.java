/** What both adapters need to run the engine inside Flink. */
@NullMarked
package dev.twophase.internal.flink;

import org.jspecify.annotations.NullMarked;
