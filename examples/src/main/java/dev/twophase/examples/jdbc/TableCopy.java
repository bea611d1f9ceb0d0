package dev.twophase.examples.jdbc;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * What a reader sees of the table of counts, as lines of a file: a row that was written twice is
 * there twice. Arguments: URL, user, directory.
 */
public final class TableCopy {

  private TableCopy() {}

  public static void main(String[] arguments) throws IOException, SQLException {
    CountTable table = new CountTable(arguments[0], arguments[1]);
    Path file = Files.createDirectories(Path.of(arguments[2])).resolve("counts.txt");
    try (Connection connection = table.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT line_window, directory, lines, characters, times FROM " + CountTable.NAME);
        Writer out = Files.newBufferedWriter(file, StandardCharsets.ISO_8859_1)) {
      while (rows.next()) {
        String count =
            rows.getLong(1)
                + "\t"
                + rows.getString(2)
                + "\t"
                + rows.getLong(3)
                + "\t"
                + rows.getLong(4)
                + "\n";
        for (int times = rows.getInt(5); times > 0; times--) {
          out.write(count);
        }
      }
    }
  }
}
