package dev.twophase.examples.migration;

import java.util.List;

/**
 * The external system of this example: files that are written out of sight and become visible when
 * they are renamed. A transaction's name is all that is needed to publish it, from any process.
 */
public interface Staging {

  /** Adds a line to a file that nobody sees yet. */
  void append(String transaction, String line);

  /** Makes what was appended durable. */
  void sync(String transaction);

  /** Makes the file visible; false if there is none, because it is visible already or lost. */
  boolean publish(String transaction);

  /** Whether the file is visible. */
  boolean isVisible(String transaction);

  /** Deletes the file if nobody can see it yet. */
  void discard(String transaction);

  /** Names of all that is staged. */
  List<String> staged();

  /** Names of all that is visible. */
  List<String> visible();
}
