package dev.twophase.jdbc.internal;

import dev.twophase.jdbc.internal.dialect.Dialect;
import dev.twophase.jdbc.internal.dialect.Problems;
import dev.twophase.jdbc.internal.rows.Target;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.temporal.Temporal;
import java.util.Date;
import java.util.List;

/** Compares the types of values, where they are known, with those of their columns (E3). */
final class TypeCheck {

  private enum Kind {
    NUMBER("a number"),
    FRACTION("a number with a fraction"),
    TEXT("text"),
    TRUTH("boolean"),
    BYTES("bytes"),
    TIME("a date or time"),
    ARRAY("an array"),
    UNKNOWN("unknown");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  private final Target target;
  private final List<Class<?>> types;

  /**
   * @param types of the target's columns' values
   */
  TypeCheck(Target target, List<Class<?>> types) {
    this.target = target;
    this.types = types;
  }

  void check(Connection connection, Dialect dialect, Problems problems) throws SQLException {
    if (types.stream().allMatch(type -> ofValue(type) == Kind.UNKNOWN)) {
      return;
    }
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(dialect.noRows(target))) {
      ResultSetMetaData columns = result.getMetaData();
      for (int i = 0; i < types.size(); i++) {
        Kind value = ofValue(types.get(i));
        Kind column = ofColumn(columns.getColumnType(i + 1));
        if (!fits(value, column)) {
          problems.refuse(
              "column " + target.columns().get(i),
              "of type "
                  + columns.getColumnTypeName(i + 1)
                  + " in table "
                  + target.describe()
                  + ", its values of "
                  + types.get(i).getSimpleName(),
              "Give it "
                  + column.words
                  + ", or make the column one for "
                  + value.words
                  + "; a lambda instead of a method reference goes unchecked");
        }
      }
    }
  }

  private static boolean fits(Kind value, Kind column) {
    if (value == Kind.UNKNOWN || column == Kind.UNKNOWN || value == column) {
      return true;
    }
    return switch (value) {
      case NUMBER -> column == Kind.FRACTION || column == Kind.TRUTH;
      // Many databases read times from their text.
      case TEXT -> column == Kind.TIME;
      case TRUTH -> column == Kind.NUMBER;
      default -> false;
    };
  }

  private static Kind ofValue(Class<?> type) {
    if (type == Double.class || type == Float.class) {
      return Kind.FRACTION;
    }
    if (Number.class.isAssignableFrom(type)) {
      return Kind.NUMBER;
    }
    if (CharSequence.class.isAssignableFrom(type) || type == Character.class) {
      return Kind.TEXT;
    }
    if (type == Boolean.class) {
      return Kind.TRUTH;
    }
    if (type == byte[].class) {
      return Kind.BYTES;
    }
    if (Temporal.class.isAssignableFrom(type) || Date.class.isAssignableFrom(type)) {
      return Kind.TIME;
    }
    return type.isArray() || List.class.isAssignableFrom(type) ? Kind.ARRAY : Kind.UNKNOWN;
  }

  private static Kind ofColumn(int type) {
    return switch (type) {
      case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> Kind.NUMBER;
      case Types.REAL, Types.FLOAT, Types.DOUBLE, Types.NUMERIC, Types.DECIMAL -> Kind.FRACTION;
      case Types.CHAR,
          Types.VARCHAR,
          Types.LONGVARCHAR,
          Types.NCHAR,
          Types.NVARCHAR,
          Types.LONGNVARCHAR,
          Types.CLOB,
          Types.NCLOB ->
          Kind.TEXT;
      case Types.BIT, Types.BOOLEAN -> Kind.TRUTH;
      case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> Kind.BYTES;
      case Types.DATE,
          Types.TIME,
          Types.TIMESTAMP,
          Types.TIME_WITH_TIMEZONE,
          Types.TIMESTAMP_WITH_TIMEZONE ->
          Kind.TIME;
      case Types.ARRAY -> Kind.ARRAY;
      default -> Kind.UNKNOWN;
    };
  }
}
