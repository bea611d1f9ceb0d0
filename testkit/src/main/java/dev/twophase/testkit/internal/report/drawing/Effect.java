package dev.twophase.testkit.internal.report.drawing;

import java.util.Locale;
import java.util.regex.Pattern;

/** What a call does to the external system, as far as its name tells. */
enum Effect {
  NONE(
      "",
      "open|preflight|unfinished|restore|serialize|deserialize|create|initialize|close|get|is|list"
          + "|read|committedsince|notifycheckpointaborted"),
  PREPARE("asked to prepare", "precommit|prepare"),
  COMMIT("asked to commit", "commit|notifycheckpointcomplete"),
  ABORT("asked to abort", "abort|rollback"),
  BEGIN("asked to begin", "begin"),
  WRITE("asked to write", "write|put|invoke|flush|snapshotstate|finish"),
  OTHER("called", "");

  private final String request;
  private final Pattern names;

  Effect(String request, String beginnings) {
    this.request = request;
    this.names = Pattern.compile(beginnings);
  }

  /** What the external system is asked to do; whether it does shows in what a reader sees. */
  String request() {
    return request;
  }

  static Effect of(String callClass) {
    String method = callClass.substring(callClass.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    for (Effect effect : values()) {
      if (effect.names.matcher(method).lookingAt()) {
        return effect;
      }
    }
    return OTHER;
  }
}
