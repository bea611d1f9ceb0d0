/** The names and the text of manifests. */
@NullMarked
package dev.twophase.file.internal.manifest;

import org.jspecify.annotations.NullMarked;
