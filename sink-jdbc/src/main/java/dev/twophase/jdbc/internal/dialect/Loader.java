package dev.twophase.jdbc.internal.dialect;

import dev.twophase.jdbc.internal.rows.Blocks;
import dev.twophase.jdbc.internal.rows.Target;
import java.sql.Connection;

/** Brings rows into the target, within the transaction that is open on the connection. */
@FunctionalInterface
public interface Loader {

  void load(Connection connection, Target target, Blocks blocks) throws Exception;
}
