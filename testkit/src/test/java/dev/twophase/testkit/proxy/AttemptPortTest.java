package dev.twophase.testkit.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.internal.gate.CallDecider;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.schedule.FaultKind;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests on the wire as points of a schedule. */
class AttemptPortTest {

  private static final SinkSetup SETUP = new SinkSetup("ns", "sut", DeliveryGuarantee.EXACTLY_ONCE);

  private final List<String> fired = new CopyOnWriteArrayList<>();
  private LineServer server;
  private CallGate gate;
  private LineClient client;

  @BeforeEach
  void start() throws IOException {
    server = new LineServer();
  }

  @AfterEach
  void stop() throws IOException {
    if (gate != null) {
      gate.sever();
    }
    if (client != null) {
      client.close();
    }
    server.close();
  }

  private void connect(Map<String, FaultKind> faults) throws IOException {
    gate = new CallGate(new Planned(faults, fired), 0, 0);
    CallGate.bind(gate);
    try {
      client = new LineClient(SETUP.faults().aroundPort(new LineFramer(), server.port()));
    } finally {
      CallGate.bind(null);
    }
  }

  @Test
  void outsideAScheduleItIsThePortItself() {
    assertThat(SETUP.faults().aroundPort(new LineFramer(), 4711)).isEqualTo(4711);
  }

  @Test
  void E_cutsTheConnectionBeforeTheRequest() throws Exception {
    connect(Map.of("Line.b", FaultKind.ERROR));
    client.send("a");
    assertThat(client.answer()).isEqualTo("- part of a, done a");
    client.send("b");
    assertThat(client.isCut()).isTrue();
    assertThat(server.received).containsExactly("a");
    assertThat(fired).containsExactly("Line.b E");
  }

  @Test
  void A_losesTheReplyOfASuccess() throws Exception {
    connect(Map.of("Line.b", FaultKind.APPLIED));
    client.send("b");
    assertThat(client.isCut()).isTrue();
    assertThat(server.received).containsExactly("b");
    assertThat(fired).containsExactly("Line.b A");
  }

  @Test
  void A_isNotFiredByARefusal() throws Exception {
    connect(Map.of("Line.bad", FaultKind.APPLIED));
    client.send("bad");
    assertThat(client.answer()).isEqualTo("- part of bad, refused bad");
    assertThat(fired).isEmpty();
  }

  @Test
  void U_losesTheReplyWhateverItIs() throws Exception {
    connect(Map.of("Line.bad", FaultKind.UNKNOWN));
    client.send("bad");
    assertThat(client.isCut()).isTrue();
    assertThat(server.received).containsExactly("bad");
    assertThat(fired).containsExactly("Line.bad U");
  }

  @Test
  void N_swallowsTheRequestAndAllThatFollows() throws Exception {
    connect(Map.of("Line.b", FaultKind.NOT_APPLIED));
    client.send("b");
    client.send("c");
    assertThat(client.hearsNothing()).isTrue();
    assertThat(server.received).isEmpty();
    assertThat(fired).containsExactly("Line.b N");
  }

  @Test
  void K_killsTheAttemptAndItsConnections() throws Exception {
    connect(Map.of("Line.b", FaultKind.KILL));
    client.send("b");
    assertThat(client.isCut()).isTrue();
    assertThat(gate.severed()).isTrue();
    assertThat(server.received).isEmpty();
    assertThat(fired).containsExactly("Line.b K");
  }

  @Test
  void R5_theEndOfAnAttemptCutsItsConnections() throws Exception {
    connect(Map.of());
    client.send("a");
    assertThat(client.answer()).isEqualTo("- part of a, done a");
    gate.sever();
    assertThat(client.isCut()).isTrue();
  }

  @Test
  void aSharedProxyBelongsToTheAttemptThatJoinedLastUntilItEnds() throws Exception {
    try (TcpProxy proxy = TcpProxy.open(new LineFramer())) {
      proxy.forwardTo(server.port());
      gate = new CallGate(new Planned(Map.of("Line.b", FaultKind.ERROR), fired), 0, 0);
      CallGate.bind(gate);
      proxy.belongsToThisAttempt();
      CallGate.bind(null);
      client = new LineClient(proxy.port());
      client.send("b");
      assertThat(client.isCut()).isTrue();
      gate.sever();
      try (LineClient ofTheDead = new LineClient(proxy.port())) {
        assertThat(ofTheDead.isCut()).isTrue();
      }
      gate = new CallGate(new Planned(Map.of(), fired), 0, 1);
      CallGate.bind(gate);
      proxy.belongsToThisAttempt();
      CallGate.bind(null);
      try (LineClient ofTheNext = new LineClient(proxy.port())) {
        ofTheNext.send("b");
        assertThat(ofTheNext.answer()).isEqualTo("- part of b, done b");
      }
    }
    assertThat(fired).containsExactly("Line.b E");
  }

  @Test
  void R3_ofAttemptsThatLiveAtATimeAConnectionBelongsToTheOneThatOwnsItsFirstRequest()
      throws Exception {
    try (TcpProxy proxy = TcpProxy.open(new LineFramer())) {
      proxy.forwardTo(server.port());
      CallGate other = joined(proxy, "zero", Map.of("Line.b", FaultKind.ERROR), 0);
      gate = joined(proxy, "one", Map.of(), 1);
      client = new LineClient(proxy.port());
      try (LineClient ofTheOther = new LineClient(proxy.port())) {
        client.send("one");
        ofTheOther.send("zero");
        assertThat(client.answer()).isEqualTo("- part of one, done one");
        assertThat(ofTheOther.answer()).isEqualTo("- part of zero, done zero");

        ofTheOther.send("b");
        assertThat(ofTheOther.isCut()).isTrue();
        client.send("b");
        assertThat(client.answer()).isEqualTo("- part of b, done b");
        other.sever();
        client.send("c");
        assertThat(client.answer()).isEqualTo("- part of c, done c");
      }
    }
    assertThat(fired).containsExactly("Line.b E");
  }

  private CallGate joined(TcpProxy proxy, String name, Map<String, FaultKind> plan, int subtask) {
    CallGate joined = new CallGate(new Planned(plan, fired), subtask, 0);
    CallGate.bind(joined);
    proxy.belongsToThisAttempt(first -> first.contains(name));
    CallGate.bind(null);
    return joined;
  }

  @Test
  void aZombiesEndLeavesItsSuccessorsConnectionsAlone() throws Exception {
    try (TcpProxy proxy = TcpProxy.open(new LineFramer())) {
      proxy.forwardTo(server.port());
      CallGate zombie = new CallGate(new Planned(Map.of(), fired), 0, 0);
      CallGate.bind(zombie);
      proxy.belongsToThisAttempt();
      gate = new CallGate(new Planned(Map.of(), fired), 0, 1);
      CallGate.bind(gate);
      proxy.belongsToThisAttempt();
      CallGate.bind(null);
      client = new LineClient(proxy.port());
      while (proxy.connectionsSoFar() == 0) {
        Thread.onSpinWait();
      }
      zombie.sever();
      client.send("b");
      assertThat(client.answer()).isEqualTo("- part of b, done b");
    }
  }

  @Test
  void aClientEndsWithItsAttempt() {
    AtomicBoolean closed = new AtomicBoolean();
    gate = new CallGate(new Planned(Map.of(), fired), 0, 0);
    CallGate.bind(gate);
    SETUP.faults().closeWithAttempt(() -> closed.set(true));
    CallGate.bind(null);
    assertThat(closed).isFalse();
    gate.sever();
    assertThat(closed).isTrue();
  }

  private record Planned(Map<String, FaultKind> faults, List<String> evidence)
      implements CallDecider {
    @Override
    public @Nullable FaultKind arriving(CallGate gate, String callClass) {
      return faults.get(callClass);
    }

    @Override
    public void fired(CallGate gate, String callClass, FaultKind kind) {
      evidence.add(callClass + " " + kind.letter());
    }
  }
}
