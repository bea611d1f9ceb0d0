package dev.twophase.kafka.internal.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.HostResolver;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.MetadataUpdater;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.EndTxnRequest;
import org.apache.kafka.common.requests.EndTxnResponse;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * Speaks EndTxn through the client library's own network layer: a public API to end a transaction
 * without its producer does not exist. The only class that uses internals of kafka-clients. They
 * are the same from 4.0 to 4.4 but for the factory method of the network client and the home of one
 * of its parameters, which is therefore called with arguments chosen by type.
 *
 * <p>One connection per coordinator; the requests of different owners are pipelined.
 */
public final class RawEndTransactions implements EndTransactions {

  private static final int MAX_IN_FLIGHT = 100;
  private static final long POLL_MILLIS = 50;

  private final Metrics metrics = new Metrics();
  private final KafkaClient client;
  private final int requestTimeoutMillis;

  /**
   * @param properties ordinary client properties, with those for SASL and TLS
   */
  public RawEndTransactions(Properties properties) {
    AbstractConfig config = new AdminClientConfig(properties);
    this.requestTimeoutMillis = config.getInt(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG);
    this.client = newClient(config);
  }

  private KafkaClient newClient(AbstractConfig config) {
    Method factory =
        Stream.of(ClientUtils.class.getMethods())
            .filter(method -> method.getName().equals("createNetworkClient"))
            .filter(method -> List.of(method.getParameterTypes()).contains(MetadataUpdater.class))
            .max(Comparator.comparingInt(Method::getParameterCount))
            .orElseThrow(() -> unknownLibrary("no factory of network clients", null));
    Deque<String> strings =
        new ArrayDeque<>(List.of(config.getString(AdminClientConfig.CLIENT_ID_CONFIG), "twophase"));
    Deque<Integer> numbers = new ArrayDeque<>(List.of(MAX_IN_FLIGHT, requestTimeoutMillis));
    List<@Nullable Object> arguments = new ArrayList<>();
    for (Class<?> type : factory.getParameterTypes()) {
      arguments.add(argument(type, config, strings, numbers));
    }
    try {
      return (KafkaClient) factory.invoke(null, arguments.toArray());
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause() instanceof RuntimeException asIs
          ? asIs
          : unknownLibrary(factory.toString(), thrown);
    } catch (IllegalAccessException | IllegalArgumentException error) {
      throw unknownLibrary(factory.toString(), error);
    }
  }

  private @Nullable Object argument(
      Class<?> type, AbstractConfig config, Deque<String> strings, Deque<Integer> numbers) {
    if (type == AbstractConfig.class) {
      return config;
    } else if (type == String.class) {
      return strings.poll();
    } else if (type == int.class) {
      return numbers.poll();
    } else if (type == List.class) {
      // Bootstrap servers; coordinators are addressed by the node they are.
      return List.of();
    } else if (type == Metrics.class) {
      return metrics;
    } else if (type == ApiVersions.class) {
      return new ApiVersions();
    } else if (type == Time.class) {
      return Time.SYSTEM;
    } else if (type == MetadataUpdater.class) {
      return new ManualMetadataUpdater();
    } else if (type == HostResolver.class) {
      return (HostResolver) InetAddress::getAllByName;
    } else if (type.getSimpleName().equals("LogContext")) {
      try {
        return type.getConstructor(String.class).newInstance("[twophase-commits] ");
      } catch (ReflectiveOperationException error) {
        throw unknownLibrary(type.toString(), error);
      }
    }
    return null;
  }

  private static IllegalStateException unknownLibrary(String what, @Nullable Exception cause) {
    return new IllegalStateException(
        "This release of kafka-clients cannot be used for recovery ("
            + what
            + "): put one of 4.0 to 4.4 on the class path",
        cause);
  }

  @Override
  public Map<Ending, Reply> end(Collection<Ending> endings, Duration timeout)
      throws InterruptedException {
    long deadline = Time.SYSTEM.milliseconds() + timeout.toMillis();
    Map<String, Lane> lanes = new LinkedHashMap<>();
    for (Ending ending : endings) {
      lanes.computeIfAbsent(ending.owner(), owner -> new Lane()).waiting.add(ending);
    }
    Map<Integer, Lane> sent = new HashMap<>();
    Map<Ending, Reply> replies = new HashMap<>();
    while (replies.size() < endings.size()) {
      long now = Time.SYSTEM.milliseconds();
      if (now >= deadline) {
        break;
      }
      lanes.values().forEach(lane -> sendNext(lane, sent, replies, now, deadline));
      // A connection that failed has answered without the network.
      long patience = replies.size() < endings.size() ? POLL_MILLIS : 0;
      for (ClientResponse response : client.poll(patience, now)) {
        Lane lane = sent.remove(response.requestHeader().correlationId());
        if (lane != null) {
          lane.answered(read(response), replies);
        }
      }
      if (Thread.interrupted()) {
        throw new InterruptedException("Interrupted while ending transactions");
      }
    }
    lanes.values().forEach(lane -> lane.notSent(replies));
    for (Ending ending : endings) {
      replies.putIfAbsent(ending, new Reply(Answer.UNKNOWN, "no answer within " + timeout));
    }
    return replies;
  }

  /**
   * One owner's transactions. The broker handles a connection's requests one after the other, so
   * that to wait for an answer costs little more than the way there and back; and what is sent
   * already cannot be held up by an answer.
   */
  private static final class Lane {
    final Deque<Ending> waiting = new ArrayDeque<>();
    private @Nullable Ending underWay;

    boolean isFree() {
      return underWay == null && !waiting.isEmpty();
    }

    void sent() {
      underWay = waiting.remove();
    }

    void answered(Reply reply, Map<Ending, Reply> replies) {
      replies.put(Objects.requireNonNull(underWay), reply);
      underWay = null;
      if (reply.answer() != Answer.DONE) {
        notSent(replies);
      }
    }

    /** What is behind a failure: whoever asked decides first what the failure means. */
    void notSent(Map<Ending, Reply> replies) {
      waiting.forEach(each -> replies.put(each, new Reply(Answer.NOT_SENT, "not sent")));
      waiting.clear();
    }
  }

  private void sendNext(
      Lane lane, Map<Integer, Lane> sent, Map<Ending, Reply> replies, long now, long deadline) {
    if (!lane.isFree()) {
      return;
    }
    Ending next = lane.waiting.element();
    Node node = next.coordinator();
    AuthenticationException denied = client.authenticationException(node);
    if (denied != null) {
      throw denied;
    }
    if (client.ready(node, now)) {
      ClientRequest request = request(next, now, deadline);
      client.send(request, now);
      sent.put(request.correlationId(), lane);
      lane.sent();
    } else if (client.connectionFailed(node)) {
      lane.sent();
      lane.answered(new Reply(Answer.UNKNOWN, "no connection to coordinator " + node), replies);
    }
  }

  private ClientRequest request(Ending ending, long now, long deadline) {
    EndTxnRequestData data =
        new EndTxnRequestData()
            .setTransactionalId(ending.transactionalId())
            .setProducerId(ending.producerId())
            .setProducerEpoch(ending.epoch())
            .setCommitted(ending.commit());
    int timeout = (int) Math.min(requestTimeoutMillis, Math.max(1, deadline - now));
    return client.newClientRequest(
        ending.coordinator().idString(),
        new EndTxnRequest.Builder(data, ending.protocol() >= 2),
        now,
        true,
        timeout,
        null);
  }

  private static Reply read(ClientResponse response) {
    if (response.authenticationException() != null) {
      throw response.authenticationException();
    }
    if (response.versionMismatch() != null) {
      return new Reply(Answer.REFUSED, "the broker does not speak this version of EndTxn");
    }
    if (!(response.responseBody() instanceof EndTxnResponse answer)) {
      return new Reply(
          Answer.UNKNOWN, response.wasTimedOut() ? "request timed out" : "connection lost");
    }
    Errors error = answer.error();
    return new Reply(classify(error), error.name());
  }

  private static Answer classify(Errors error) {
    return switch (error) {
      case NONE -> Answer.DONE;
      case TRANSACTIONAL_ID_AUTHORIZATION_FAILED, CLUSTER_AUTHORIZATION_FAILED ->
          Answer.UNAUTHORIZED;
      case CONCURRENT_TRANSACTIONS,
          COORDINATOR_LOAD_IN_PROGRESS,
          COORDINATOR_NOT_AVAILABLE,
          NOT_COORDINATOR,
          REQUEST_TIMED_OUT,
          UNKNOWN_SERVER_ERROR ->
          Answer.UNKNOWN;
      default -> Answer.REFUSED;
    };
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } finally {
      metrics.close();
    }
  }
}
