/**
 * The file connector: {@code write} fills files, {@code publish} makes them visible, {@code
 * storage} is the border to the file system.
 */
@NullMarked
package dev.twophase.file.internal;

import org.jspecify.annotations.NullMarked;
