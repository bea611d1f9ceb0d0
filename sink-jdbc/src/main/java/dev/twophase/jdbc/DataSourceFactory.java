package dev.twophase.jdbc;

import java.io.Serializable;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Makes a data source on the cluster, once per role and subtask. A pool is possible and brings
 * nothing: a subtask uses up to three connections at a time, and a smaller pool stops the job.
 */
@FunctionalInterface
public interface DataSourceFactory extends Serializable {

  DataSource create() throws SQLException;
}
