package dev.twophase.jdbc.internal.rows;

import java.io.Serializable;
import java.util.List;

/**
 * Where rows go. Part of each handle: rows are committed to the target they were written for,
 * whatever the job says by then.
 *
 * @param operation what a row does
 * @param schema empty for the connection's own
 * @param table empty if {@code operation} is {@link Operation#SQL}
 * @param columns names, in the order of a row's values; those of the key first
 * @param keys number of columns that make the key
 * @param sql the statement if {@code operation} is {@link Operation#SQL}, else empty
 */
public record Target(
    Operation operation, String schema, String table, List<String> columns, int keys, String sql)
    implements Serializable {

  /** What a row does. The codes are part of the binary form of handles (S1): never renumber. */
  public enum Operation {
    INSERT(1),
    UPSERT(2),
    DELETE(3),
    SQL(4);

    private final int code;

    Operation(int code) {
      this.code = code;
    }

    public int code() {
      return code;
    }

    /** The operation of that code. */
    public static Operation of(int code) {
      for (Operation operation : values()) {
        if (operation.code == code) {
          return operation;
        }
      }
      throw new IllegalArgumentException("operation " + code);
    }
  }

  public Target {
    columns = List.copyOf(columns);
  }

  public List<String> keyColumns() {
    return columns.subList(0, keys);
  }

  public List<String> otherColumns() {
    return columns.subList(keys, columns.size());
  }

  /** For messages. */
  public String describe() {
    return operation == Operation.SQL ? sql : schema.isEmpty() ? table : schema + "." + table;
  }
}
