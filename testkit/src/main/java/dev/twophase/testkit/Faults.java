package dev.twophase.testkit;

import dev.twophase.testkit.internal.faults.FaultyFileSystem;
import dev.twophase.testkit.internal.faults.FaultyJdbc;
import dev.twophase.testkit.internal.faults.FaultyPaths;
import dev.twophase.testkit.internal.faults.FaultyProxy;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.proxy.AttemptPort;
import dev.twophase.testkit.proxy.wire.MessageFramer;
import java.io.Serializable;
import javax.sql.DataSource;
import javax.sql.XADataSource;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * Lets the kit inject faults into what a sink uses. Serializable, so that a sink may carry it to
 * where its client is made; outside a schedule everything it made passes all calls on.
 */
public final class Faults implements Serializable {

  private static final long serialVersionUID = 1L;

  Faults() {}

  /**
   * Decorates a client: each method becomes a point at which a schedule can inject an error, lose a
   * reply, or kill the attempt. Make it in the sink's {@code open}, or wherever its client is made
   * on the cluster, so that each attempt has its own; calls from the client's own threads are then
   * faulted too.
   *
   * <p>Injected errors are of the first exception type that the method declares and that has a
   * public constructor for a message, else {@link java.io.UncheckedIOException}.
   *
   * <p>A sink that keeps what this returns in a field that is not transient needs a client that is
   * serializable: Flink ships the sink to its tasks.
   *
   * @param type the interface through which the sink uses it; names the calls in schedules
   * @param client the real one
   * @throws IllegalArgumentException if {@code type} is no interface
   */
  public <T> T around(Class<T> type, T client) {
    return FaultyProxy.around(type, client);
  }

  /**
   * Decorates a data source, the connections it gives, their statements, and so on: each call that
   * reaches the database becomes a point at which a schedule can strike. Injected errors are {@link
   * java.sql.SQLException}s of state 08006, a connection failure. When an attempt is killed its
   * connections are aborted, so that the database rolls back as it does for a dead process.
   *
   * <p>What a sink does through interfaces of the driver ({@code unwrap}) is one point: the unwrap.
   */
  public DataSource aroundDataSource(DataSource dataSource) {
    return FaultyJdbc.around(dataSource);
  }

  /** The same for {@code XAResource}s, whose injected errors are of code {@code XAER_RMFAIL}. */
  public XADataSource aroundDataSource(XADataSource dataSource) {
    return FaultyJdbc.around(dataSource);
  }

  /**
   * Decorates one of Flink's file systems, its recoverable writers and the streams of both: each
   * call is a point at which a schedule can strike. Streams of a killed attempt stay as they are,
   * neither flushed nor closed, as those of a dead process.
   *
   * <p>For a sink that looks its file system up by itself, see {@link #aroundPath}. Hadoop's file
   * systems have {@link dev.twophase.testkit.hadoop.HadoopFaults}.
   */
  public FileSystem aroundFileSystem(FileSystem fileSystem) {
    return FaultyFileSystem.around(fileSystem);
  }

  /**
   * Leads to a server through a proxy of the attempt's own: each request that the framer calls a
   * point is one at which schedules can strike, whatever client makes it. {@code E} cuts the
   * connection before the request; {@code A} after the server has answered it with success, so that
   * the reply is lost; {@code U} whatever it has answered; {@code N} swallows the request and all
   * that follows, and leaves the connection open; {@code D} holds it. When an attempt is killed its
   * connections are cut.
   *
   * <p>Call it where the sink makes its client, in each attempt; in {@code sink(setup)} itself it
   * is refused.
   *
   * @param framer of the protocol that is spoken, without encryption: {@code PostgresFramer},
   *     {@code KafkaFramer}, or {@code MessageFramer.opaque()}
   * @param port of the server, on 127.0.0.1
   * @return where to connect instead, on 127.0.0.1; outside a schedule the same port
   * @throws IllegalStateException while the kit calls {@code sink(setup)}: no attempt has the sink
   */
  public int aroundPort(MessageFramer framer, int port) {
    return AttemptPort.open(framer, port);
  }

  /**
   * Closes a client when its attempt is killed, as the end of a process does: for one whose own
   * threads would otherwise connect again and repeat what the dead attempt has asked for. Call it
   * where the sink makes its client. Does nothing outside a schedule.
   *
   * @param client may be closed by any thread
   */
  public void closeWithAttempt(AutoCloseable client) {
    CallGate gate = CallGate.current();
    if (gate != null) {
      gate.whenSevered(client::close);
    }
  }

  /**
   * The same place in a decorated file system, for a sink that takes a path and looks up the file
   * system with Flink's {@code FileSystem.get}. What is written there is read at the given path.
   *
   * @param path absolute; without a scheme it is local
   * @return a path of the scheme {@code faulty}, which works in every process that has the kit on
   *     its class path
   */
  public Path aroundPath(Path path) {
    return FaultyPaths.faulty(path);
  }
}
