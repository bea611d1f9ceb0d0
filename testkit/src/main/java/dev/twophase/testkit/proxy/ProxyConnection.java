package dev.twophase.testkit.proxy;

import dev.twophase.testkit.proxy.wire.MessageFramer;
import dev.twophase.testkit.proxy.wire.WireReply;
import dev.twophase.testkit.proxy.wire.WireRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's connection through a {@link TcpProxy}. Thread-safe. */
public final class ProxyConnection {

  private static final Logger LOG = LoggerFactory.getLogger(ProxyConnection.class);

  private final Socket client;
  private final Socket server;
  private final MessageFramer.Conversation conversation;
  private final Owners owners;
  private final Faults faults;
  private final Consumer<ProxyConnection> whenEnded;
  private final Gate gate = new Gate();
  private final Map<Long, Interception> awaitedReplies = new ConcurrentHashMap<>();
  private volatile @Nullable AttemptPort owner;
  private volatile boolean undecided = true;
  private volatile boolean mute;

  /** Of the thread that passes requests alone. */
  private boolean deaf;

  /** Whose connection begins with this request. */
  @FunctionalInterface
  interface Owners {
    @Nullable AttemptPort of(WireRequest first);
  }

  /** What is to happen to a request. */
  @FunctionalInterface
  interface Faults {
    Optional<Interception> of(@Nullable AttemptPort owner, WireRequest request);
  }

  ProxyConnection(
      Socket client,
      Socket server,
      MessageFramer.Conversation conversation,
      Owners owners,
      Faults faults,
      Consumer<ProxyConnection> whenEnded) {
    this.client = client;
    this.server = server;
    this.conversation = conversation;
    this.owners = owners;
    this.faults = faults;
    this.whenEnded = whenEnded;
  }

  /** Says whose it is, null if nobody's, so that its first request is not asked. */
  void belongsTo(@Nullable AttemptPort port) {
    owner = port;
    undecided = false;
  }

  /** Whether it is that attempt's, or has not yet said whose it is. */
  boolean mayBeOf(AttemptPort port) {
    return undecided || owner == port;
  }

  /** Closes both sides at once. What the server has received it may still carry out. */
  public void cut() {
    closeQuietly(client);
    closeQuietly(server);
    gate.open();
    whenEnded.accept(this);
  }

  /** From now on nothing passes in either direction; the connection stays open. */
  public void stall() {
    gate.shut();
  }

  /** Ends {@link #stall()}: what was held passes in its order. */
  public void resume() {
    gate.open();
  }

  void start(String name) {
    daemon(name + " requests", this::passRequests);
    daemon(name + " replies", this::passReplies);
  }

  private void passRequests() throws IOException, InterruptedException {
    MessageReader requests =
        new MessageReader(client.getInputStream(), bytes -> locked(bytes, true));
    OutputStream out = server.getOutputStream();
    for (Optional<byte[]> next = requests.next(); next.isPresent(); next = requests.next()) {
      byte[] message = next.get();
      WireRequest request;
      synchronized (conversation) {
        request = conversation.request(ByteBuffer.wrap(message));
      }
      if (undecided) {
        belongsTo(owners.of(request));
      }
      gate.pass();
      if (deaf) {
        continue;
      }
      Optional<Interception> hit = faults.of(owner, request);
      if (hit.isPresent() && !mayBeSent(hit.get(), request)) {
        return;
      }
      if (!deaf) {
        out.write(message);
        out.flush();
      }
    }
  }

  private boolean mayBeSent(Interception hit, WireRequest request) throws InterruptedException {
    switch (hit.fault()) {
      case NOT_SENT -> {
        // First, because who sees the connection end asks what has happened.
        hit.fire();
        cut();
        return false;
      }
      case STALLED -> {
        deaf = true;
        mute = true;
        hit.fire();
      }
      case HELD -> {
        hit.fire();
        hit.awaitRelease();
      }
      case REPLY_LOST, REPLY_SWALLOWED, REPLY_HELD -> awaitedReplies.put(request.exchange(), hit);
    }
    return true;
  }

  private void passReplies() throws IOException, InterruptedException {
    MessageReader replies =
        new MessageReader(server.getInputStream(), bytes -> locked(bytes, false));
    OutputStream out = client.getOutputStream();
    List<byte[]> withheld = new ArrayList<>();
    for (Optional<byte[]> next = replies.next(); next.isPresent(); next = replies.next()) {
      WireReply reply = read(next.get());
      if (reply == null) {
        return;
      }
      withheld.add(next.get());
      Interception hit = awaitedReplies.get(reply.exchange());
      if (hit != null && !reply.last()) {
        continue;
      }
      if (hit != null) {
        awaitedReplies.remove(reply.exchange());
        decide(hit, reply);
      }
      gate.pass();
      if (!mute) {
        for (byte[] message : withheld) {
          out.write(message);
        }
        out.flush();
      }
      withheld.clear();
    }
  }

  /** What the server answers; null if nothing that follows can be read. */
  private @Nullable WireReply read(byte[] message) {
    try {
      synchronized (conversation) {
        return conversation.reply(ByteBuffer.wrap(message));
      }
    } catch (IllegalStateException unreadable) {
      AttemptPort of = owner;
      if (of != null) {
        of.provesNothing(String.valueOf(unreadable.getMessage()));
      }
      return null;
    }
  }

  private void decide(Interception hit, WireReply reply) throws InterruptedException {
    if (!hit.mayLose(reply.outcome())) {
      hit.unclaim();
      return;
    }
    if (hit.fault() != RequestFault.REPLY_HELD) {
      mute = true;
    }
    hit.fire(reply.outcome());
    if (hit.fault() == RequestFault.REPLY_LOST) {
      cut();
    }
    if (hit.fault() == RequestFault.REPLY_HELD) {
      hit.awaitRelease();
    }
  }

  private int locked(ByteBuffer bytes, boolean ofClient) {
    synchronized (conversation) {
      return ofClient ? conversation.requestLength(bytes) : conversation.replyLength(bytes);
    }
  }

  private void daemon(String name, Passing passing) {
    Thread thread =
        new Thread(
            () -> {
              try {
                passing.run();
              } catch (IOException ended) {
                LOG.debug("{} ended", name, ended);
              } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
              } finally {
                cut();
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException alreadyBroken) {
      LOG.debug("A broken connection was closed", alreadyBroken);
    }
  }

  private interface Passing {
    void run() throws IOException, InterruptedException;
  }
}
