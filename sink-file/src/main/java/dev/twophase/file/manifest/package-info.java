/**
 * Reading what a file sink has published, a checkpoint at a time. Plain Java: needs no Flink, and
 * Hadoop's client only for Hadoop's file systems.
 */
@NullMarked
package dev.twophase.file.manifest;

import org.jspecify.annotations.NullMarked;
