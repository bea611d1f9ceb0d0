package dev.twophase.jdbc.internal.dialect;

import dev.twophase.jdbc.internal.rows.Blocks;
import dev.twophase.jdbc.internal.rows.RowReader;
import dev.twophase.jdbc.internal.rows.Target;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * MariaDB: LOAD DATA LOCAL from memory. The server skips what it cannot insert and changes what
 * does not fit, with a warning; then the block is written by batches instead, which fail.
 */
final class LoadDataLoader implements Loader {

  private static final Logger LOG = LoggerFactory.getLogger(LoadDataLoader.class);

  private static final DateTimeFormatter DATE_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");

  private final Dialect dialect;
  private final Loader instead;

  LoadDataLoader(Dialect dialect, Loader instead) {
    this.dialect = dialect;
    this.instead = instead;
  }

  @Override
  public void load(Connection connection, Target target, Blocks blocks) throws Exception {
    List<Boolean> binary = binaryColumns(connection, target);
    String sql = sql(target, binary);
    for (RowReader rows = blocks.next(); rows != null; rows = blocks.next()) {
      Savepoint before = connection.setSavepoint();
      if (loadBlock(connection, sql, rows)) {
        connection.releaseSavepoint(before);
      } else {
        connection.rollback(before);
        writeInstead(connection, target, new RowReader(rows.block()));
      }
    }
  }

  private void writeInstead(Connection connection, Target target, RowReader rows) throws Exception {
    List<RowReader> once = new ArrayList<>(List.of(rows));
    instead.load(connection, target, () -> once.isEmpty() ? null : once.remove(0));
  }

  private static boolean loadBlock(Connection connection, String sql, RowReader rows)
      throws SQLException {
    StringBuilder text = new StringBuilder();
    long count = 0;
    while (rows.next()) {
      count++;
      for (int i = 0; i < rows.values(); i++) {
        text.append(i == 0 ? "" : "\t");
        field(text, rows.readValue());
      }
      text.append('\n');
    }
    try (Statement statement = connection.createStatement()) {
      statement
          .unwrap(org.mariadb.jdbc.Statement.class)
          .setLocalInfileInputStream(
              new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)));
      statement.execute(sql);
      long loaded = statement.getLargeUpdateCount();
      try (ResultSet warnings = statement.executeQuery("SHOW WARNINGS LIMIT 1")) {
        boolean clean = !warnings.next();
        if (clean && loaded == count) {
          return true;
        }
        LOG.warn(
            "LOAD DATA took {} of {} rows{}; batches are used instead",
            loaded,
            count,
            clean ? "" : " and warned: " + warnings.getString("Message"));
        return false;
      }
    }
  }

  private String sql(Target target, List<Boolean> binary) {
    StringBuilder columns = new StringBuilder();
    StringBuilder set = new StringBuilder();
    for (int i = 0; i < target.columns().size(); i++) {
      String name = dialect.quote(target.columns().get(i));
      columns.append(i == 0 ? "" : ",").append(binary.get(i) ? "@b" + i : name);
      if (binary.get(i)) {
        set.append(set.isEmpty() ? " SET " : ",");
        set.append(name).append("=UNHEX(@b").append(i).append(')');
      }
    }
    return "LOAD DATA LOCAL INFILE 'rows' INTO TABLE "
        + dialect.table(target.schema(), target.table())
        + " CHARACTER SET utf8mb4 FIELDS TERMINATED BY '\\t' ESCAPED BY '\\\\'"
        + " LINES TERMINATED BY '\\n' ("
        + columns
        + ")"
        + set;
  }

  private List<Boolean> binaryColumns(Connection connection, Target target) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(dialect.noRows(target))) {
      ResultSetMetaData metaData = result.getMetaData();
      List<Boolean> binary = new ArrayList<>();
      for (int i = 1; i <= metaData.getColumnCount(); i++) {
        int type = metaData.getColumnType(i);
        binary.add(
            type == Types.BINARY
                || type == Types.VARBINARY
                || type == Types.LONGVARBINARY
                || type == Types.BLOB);
      }
      return binary;
    }
  }

  private static void field(StringBuilder text, @Nullable Object value) {
    if (value == null) {
      text.append("\\N");
    } else if (value instanceof byte[] bytes) {
      text.append(HexFormat.of().formatHex(bytes));
    } else if (value instanceof Boolean flag) {
      text.append(flag ? '1' : '0');
    } else if (value instanceof LocalDateTime dateTime) {
      text.append(DATE_TIME.format(dateTime));
    } else if (value instanceof Timestamp timestamp) {
      text.append(DATE_TIME.format(timestamp.toLocalDateTime()));
    } else if (value instanceof OffsetDateTime dateTime) {
      text.append(DATE_TIME.format(dateTime.atZoneSameInstant(ZoneId.systemDefault())));
    } else {
      escaped(text, value.toString());
    }
  }

  private static void escaped(StringBuilder text, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\\' -> text.append("\\\\");
        case '\t' -> text.append("\\t");
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case 0 -> text.append("\\0");
        default -> text.append(c);
      }
    }
  }
}
