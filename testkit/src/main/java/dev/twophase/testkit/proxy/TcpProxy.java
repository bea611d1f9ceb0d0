package dev.twophase.testkit.proxy;

import dev.twophase.testkit.proxy.wire.MessageFramer;
import dev.twophase.testkit.proxy.wire.WireRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A proxy on 127.0.0.1 in front of one port, whose connections can be cut and stalled and whose
 * requests can be intercepted. Thread-safe.
 *
 * <p>Its port is known before the server is: a server that tells its clients where to connect, as
 * Kafka does, can be started with that port as the one it advertises.
 *
 * <pre>{@code
 * try (TcpProxy proxy = TcpProxy.open(new KafkaFramer())) {
 *   proxy.forwardTo(broker.port());
 *   Interception lost = proxy.intercept(WireRequest.ofType("EndTxn"), RequestFault.REPLY_LOST);
 *   commitThrough(proxy.port());
 *   lost.awaitFired(Duration.ofSeconds(30));
 * }
 * }</pre>
 */
public final class TcpProxy implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TcpProxy.class);
  private static final int CONNECT_MILLIS = 10_000;

  private final MessageFramer framer;
  private final ServerSocket listener;
  private final Set<ProxyConnection> connections = ConcurrentHashMap.newKeySet();
  private final List<Interception> interceptions = new CopyOnWriteArrayList<>();
  private final AtomicInteger accepted = new AtomicInteger();
  private volatile @Nullable InetSocketAddress target;
  private volatile boolean refusing;
  private volatile boolean stalled;

  /** Attempts that live, the newest last: what connects belongs to it. */
  private final Deque<AttemptPort> attempts = new ConcurrentLinkedDeque<>();

  /** All attempts to which it belonged are dead, and no other has joined yet. */
  private volatile boolean orphaned;

  private TcpProxy(MessageFramer framer, ServerSocket listener) {
    this.framer = framer;
    this.listener = listener;
  }

  /** Listens on a free port; connections are closed at once until there is a target. */
  public static TcpProxy open(MessageFramer framer) {
    try {
      ServerSocket listener = new ServerSocket();
      listener.bind(loopback(0));
      TcpProxy proxy = new TcpProxy(framer, listener);
      Thread thread = new Thread(proxy::accept, "proxy " + listener.getLocalPort());
      thread.setDaemon(true);
      thread.start();
      return proxy;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Where clients connect, on 127.0.0.1. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Where new connections lead from now on, on 127.0.0.1. */
  public void forwardTo(int port) {
    target = loopback(port);
  }

  /** The connections that are open now. */
  public List<ProxyConnection> connections() {
    return List.copyOf(connections);
  }

  /** How many connections have led through so far. */
  public int connectionsSoFar() {
    return accepted.get();
  }

  /** Closes all connections; new ones are accepted. */
  public void cutAll() {
    connections().forEach(ProxyConnection::cut);
  }

  /** Whether new connections are closed at once. */
  public void refuse(boolean refuse) {
    refusing = refuse;
  }

  /** Nothing passes any more, in either direction, on present and new connections. */
  public void stallAll() {
    stalled = true;
    connections().forEach(ProxyConnection::stall);
  }

  /** Ends {@link #stallAll()}. */
  public void resumeAll() {
    stalled = false;
    connections().forEach(ProxyConnection::resume);
  }

  /**
   * Lets a fault wait for the next request of the kind, on any connection. Where several wait for
   * one request, the oldest gets it.
   */
  public Interception intercept(Predicate<WireRequest> which, RequestFault fault) {
    Interception interception = new Interception(which, fault);
    interceptions.add(interception);
    return interception;
  }

  /**
   * From now on what passes belongs to the attempt of a sink that makes this call: the points of
   * {@link WireRequest#point} are struck by its schedule, and its end cuts the connections. For
   * systems such as Kafka, which tell their clients where to connect, so that all attempts come
   * through one port: use it where one attempt lives at a time, in the sink's {@code open}. From
   * that end until the next attempt joins nobody is let through. Clients that connect again by
   * themselves must end with their attempt: {@link dev.twophase.testkit.Faults#closeWithAttempt}.
   * Where a port for each attempt does, {@link dev.twophase.testkit.Faults#aroundPort} is the
   * better way. Does nothing outside a schedule.
   */
  public void belongsToThisAttempt() {
    AttemptPort.join(this, null);
  }

  /**
   * Likewise where several attempts live at a time, as those of several subtasks do: a connection
   * belongs to the newest that owns its first request, else to the newest of all.
   *
   * @param owned such as those with a client id that names the subtask
   */
  public void belongsToThisAttempt(Predicate<WireRequest> owned) {
    AttemptPort.join(this, owned);
  }

  void belongsTo(AttemptPort port) {
    attempts.add(port);
    orphaned = false;
  }

  /** The attempt is dead: its connections end, and its clients' threads get no new ones. */
  void leave(AttemptPort port) {
    attempts.remove(port);
    orphaned = attempts.isEmpty();
    // One that has not said whose it is may be its too; a living client connects again.
    connections().stream().filter(each -> each.mayBeOf(port)).forEach(ProxyConnection::cut);
  }

  /** Forgets what has not fired, releases what is held, resumes and accepts. */
  public void heal() {
    interceptions.forEach(Interception::release);
    interceptions.clear();
    orphaned = false;
    refuse(false);
    resumeAll();
  }

  @Override
  public void close() {
    heal();
    try {
      listener.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } finally {
      cutAll();
    }
  }

  /** Never the IPv6 one, whatever the system prefers. */
  private static InetSocketAddress loopback(int port) {
    try {
      return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    } catch (UnknownHostException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        pair(listener.accept());
      } catch (IOException closedOrUnlucky) {
        LOG.debug("A client could not be led through", closedOrUnlucky);
      }
    }
  }

  private void pair(Socket client) throws IOException {
    InetSocketAddress to = target;
    if (to == null || refusing || orphaned) {
      client.close();
      return;
    }
    Socket server = new Socket();
    try {
      server.connect(to, CONNECT_MILLIS);
      server.setTcpNoDelay(true);
      client.setTcpNoDelay(true);
    } catch (IOException unreachable) {
      client.close();
      server.close();
      return;
    }
    lead(client, server);
  }

  private void lead(Socket client, Socket server) {
    AttemptPort newest = attempts.peekLast();
    ProxyConnection connection =
        new ProxyConnection(
            client,
            server,
            framer.open(),
            this::ownerOf,
            this::interceptionFor,
            connections::remove);
    if (newest == null || !newest.tellsByRequest()) {
      connection.belongsTo(newest);
    }
    connections.add(connection);
    if (stalled) {
      connection.stall();
    }
    connection.start("proxy " + port() + "." + accepted.incrementAndGet());
  }

  private @Nullable AttemptPort ownerOf(WireRequest first) {
    Iterator<AttemptPort> newestFirst = attempts.descendingIterator();
    while (newestFirst.hasNext()) {
      AttemptPort each = newestFirst.next();
      if (each.owns(first)) {
        return each;
      }
    }
    return attempts.peekLast();
  }

  private Optional<Interception> interceptionFor(@Nullable AttemptPort port, WireRequest request) {
    Optional<Interception> planned = port == null ? Optional.empty() : port.planned(request);
    if (planned.isPresent()) {
      return planned;
    }
    return interceptions.stream().filter(waiting -> waiting.claim(request)).findFirst();
  }
}
