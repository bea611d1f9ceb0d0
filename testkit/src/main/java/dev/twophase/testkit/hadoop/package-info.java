/** Faults in Hadoop's file systems; needs Hadoop's client on the class path. */
@NullMarked
package dev.twophase.testkit.hadoop;

import org.jspecify.annotations.NullMarked;
