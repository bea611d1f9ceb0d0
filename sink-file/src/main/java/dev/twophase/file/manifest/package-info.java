/**
 * Reading what a file sink has published, a checkpoint at a time. Plain Java: needs neither Flink
 * nor Hadoop.
 */
@NullMarked
package dev.twophase.file.manifest;

import org.jspecify.annotations.NullMarked;
