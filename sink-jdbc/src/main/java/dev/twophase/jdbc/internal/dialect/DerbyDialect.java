package dev.twophase.jdbc.internal.dialect;

import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Derby: no java.time, no untyped nulls, and short waits for locks only by a server property. */
public final class DerbyDialect extends Dialect {

  @Override
  public String name() {
    return "Derby";
  }

  @Override
  public void bind(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    if (value == null) {
      statement.setNull(index, statement.getParameterMetaData().getParameterType(index));
    } else if (value instanceof LocalDate date) {
      statement.setDate(index, Date.valueOf(date));
    } else if (value instanceof LocalTime time) {
      statement.setTime(index, Time.valueOf(time));
    } else if (value instanceof LocalDateTime dateTime) {
      statement.setTimestamp(index, Timestamp.valueOf(dateTime));
    } else if (value instanceof OffsetDateTime dateTime) {
      statement.setTimestamp(index, Timestamp.from(dateTime.toInstant()));
    } else if (value instanceof UUID uuid) {
      statement.setString(index, uuid.toString());
    } else {
      super.bind(statement, index, value);
    }
  }
}
