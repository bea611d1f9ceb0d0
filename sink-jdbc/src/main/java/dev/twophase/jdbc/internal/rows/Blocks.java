package dev.twophase.jdbc.internal.rows;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows block by block, from memory or from the database. Can be read once. */
@FunctionalInterface
public interface Blocks {

  /** The next block, or null after the last. */
  @Nullable RowReader next() throws Exception;

  /** One after the other. */
  static Blocks together(List<Blocks> parts) {
    Iterator<Blocks> rest = parts.iterator();
    return new Blocks() {
      private Blocks part = () -> null;

      @Override
      public @Nullable RowReader next() throws Exception {
        RowReader block = part.next();
        while (block == null && rest.hasNext()) {
          part = rest.next();
          block = part.next();
        }
        return block;
      }
    };
  }
}
