/**
 * What people do to a sink's directory while no job writes under the sink's name. Plain Java: needs
 * no Flink, and Hadoop's client only for Hadoop's file systems.
 */
@NullMarked
package dev.twophase.file.upkeep;

import org.jspecify.annotations.NullMarked;
