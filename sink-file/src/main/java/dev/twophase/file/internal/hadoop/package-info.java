/** HDFS and other Hadoop file systems; the only package that needs Hadoop's client. */
@NullMarked
package dev.twophase.file.internal.hadoop;

import org.jspecify.annotations.NullMarked;
