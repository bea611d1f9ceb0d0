package dev.twophase.jdbc;

import dev.twophase.jdbc.internal.BoundRows;
import dev.twophase.jdbc.internal.ColumnRows;
import dev.twophase.jdbc.internal.OwnStatement;
import dev.twophase.jdbc.internal.RowWriter;
import dev.twophase.jdbc.internal.ValueTypes;
import dev.twophase.jdbc.internal.rows.Target;
import dev.twophase.jdbc.internal.rows.Target.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.flink.util.function.SerializableFunction;
import org.jspecify.annotations.Nullable;

/** What a builder was told of the rows: what is done with them, where, and of what they consist. */
final class TargetRows<T> {

  private @Nullable Operation operation;
  private String schema = "";
  private String table = "";
  private String sql = "";
  private final List<String> keyNames = new ArrayList<>();
  private final List<ColumnValue<T>> keyValues = new ArrayList<>();
  private final List<String> columnNames = new ArrayList<>();
  private final List<ColumnValue<T>> columnValues = new ArrayList<>();
  private @Nullable ParameterBinder<T> binder;
  private @Nullable SerializableFunction<T, Boolean> deletes;

  void into(Operation value, String inSchema, String inTable) {
    operation = value;
    String of =
        switch (value) {
          case INSERT -> " of insertInto";
          case UPSERT -> " of upsertInto";
          default -> " of deleteFrom";
        };
    schema = TransactionalJdbcSink.given("the schema" + of, inSchema);
    table = TransactionalJdbcSink.notEmpty("the table" + of, inTable);
  }

  void by(String statement, ParameterBinder<T> value) {
    operation = Operation.SQL;
    sql = OwnStatement.checked(TransactionalJdbcSink.given("sql", statement));
    binder = TransactionalJdbcSink.given("the binder of sql", value);
  }

  void key(String column, ColumnValue<T> value) {
    addName("key", keyNames, column, value);
    keyValues.add(value);
  }

  void column(String column, ColumnValue<T> value) {
    addName("column", columnNames, column, value);
    columnValues.add(value);
  }

  void deleteWhen(SerializableFunction<T, Boolean> value) {
    deletes = TransactionalJdbcSink.given("deleteWhen", value);
  }

  /**
   * The target.
   *
   * @throws IllegalStateException if something is missing or does not fit together
   */
  Target target() {
    Operation chosen = operation;
    if (chosen == null) {
      throw new IllegalStateException(
          "Say what to do: insertInto, upsertInto, deleteFrom or sql(...)");
    }
    if (chosen == Operation.SQL) {
      if (!keyNames.isEmpty() || !columnNames.isEmpty() || deletes != null) {
        throw new IllegalStateException(
            "sql(...) takes its values from its binder: leave key, column and deleteWhen out");
      }
      return new Target(chosen, "", "", List.of(), 0, sql);
    }
    if (chosen != Operation.INSERT && keyNames.isEmpty()) {
      throw new IllegalStateException("Name the key of '" + table + "': key(\"...\", ...)");
    }
    if (keyNames.isEmpty() && columnNames.isEmpty()) {
      throw new IllegalStateException("Name the columns of '" + table + "': column(\"...\", ...)");
    }
    if (chosen == Operation.DELETE && !columnNames.isEmpty()) {
      throw new IllegalStateException(
          "deleteFrom takes a key only: leave " + columnNames + " out, or add them by key(...)");
    }
    if (deletes != null && chosen != Operation.UPSERT) {
      throw new IllegalStateException("deleteWhen goes with upsertInto only");
    }
    return new Target(chosen, schema, table, together(keyNames, columnNames), keyNames.size(), "");
  }

  List<Class<?>> types() {
    List<Class<?>> types = new ArrayList<>();
    together(keyValues, columnValues).forEach(value -> types.add(ValueTypes.of(value)));
    return types;
  }

  RowWriter<T> writer() {
    return operation == Operation.SQL
        ? new BoundRows<>(Objects.requireNonNull(binder))
        : new ColumnRows<>(
            together(keyNames, columnNames),
            together(keyValues, columnValues),
            keyNames.size(),
            Objects.requireNonNull(operation),
            deletes);
  }

  private static <E> List<E> together(List<E> keys, List<E> others) {
    List<E> all = new ArrayList<>(keys);
    all.addAll(others);
    return all;
  }

  private void addName(String setting, List<String> names, String column, ColumnValue<T> value) {
    TransactionalJdbcSink.notEmpty(setting, column);
    TransactionalJdbcSink.given("the value of " + setting + " '" + column + "'", value);
    if (keyNames.contains(column) || columnNames.contains(column)) {
      throw new IllegalArgumentException("Column '" + column + "' is there already");
    }
    names.add(column);
  }
}
