package dev.twophase.jdbc;

import java.io.Serializable;

/** What tests write. */
public record Order(long id, String item, double amount) implements Serializable {

  public static Order of(long id) {
    return new Order(id, "item " + id, id / 4.0);
  }
}
