package dev.twophase.testkit.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.testkit.proxy.wire.MessageFramer;
import dev.twophase.testkit.proxy.wire.WireReply;
import dev.twophase.testkit.proxy.wire.WireRequest;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  private LineServer server;
  private TcpProxy proxy;
  private LineClient client;

  @BeforeEach
  void connect() throws IOException {
    server = new LineServer();
    proxy = TcpProxy.open(new LineFramer());
    proxy.forwardTo(server.port());
    client = new LineClient(proxy.port());
  }

  @AfterEach
  void disconnect() throws IOException {
    client.close();
    proxy.close();
    server.close();
  }

  @Test
  void whatIsNotChosenPasses() throws Exception {
    Interception waiting = proxy.intercept(WireRequest.ofType("b"), RequestFault.NOT_SENT);
    client.send("a");
    assertThat(client.answer()).isEqualTo("- part of a, done a");
    assertThat(waiting.evidence()).isEmpty();
    assertThatThrownBy(() -> waiting.awaitFired(Duration.ofMillis(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("NOT_SENT has not fired");
  }

  @Test
  void aRequestNotSentNeverReachesTheServer() throws Exception {
    Interception fault = proxy.intercept(WireRequest.ofType("b"), RequestFault.NOT_SENT);
    client.send("b 1");
    assertThat(client.isCut()).isTrue();
    assertThat(fault.awaitFired(LONG).contains("b 1")).isTrue();
    try (LineClient again = new LineClient(proxy.port())) {
      again.send("b 2");
      assertThat(again.answer()).isEqualTo("- part of b 2, done b 2");
    }
    assertThat(server.received).containsExactly("b 2");
  }

  @Test
  void aLostReplyIsOneThatTheServerGave() throws Exception {
    Interception fault = proxy.intercept(WireRequest.ofType("b"), RequestFault.REPLY_LOST);
    client.send("b");
    assertThat(client.isCut()).isTrue();
    fault.awaitFired(LONG);
    assertThat(fault.answer()).contains(WireReply.Outcome.SUCCESS);
    assertThat(server.received).containsExactly("b");
  }

  @Test
  void aRefusalIsNoReplyToLose() throws Exception {
    Interception fault =
        proxy.intercept(request -> request.type().startsWith("b"), RequestFault.REPLY_LOST);
    client.send("bad");
    assertThat(client.answer()).isEqualTo("- part of bad, refused bad");
    assertThat(fault.evidence()).isEmpty();
    client.send("b");
    assertThat(client.isCut()).isTrue();
    assertThat(fault.awaitFired(LONG).type()).isEqualTo("b");
  }

  @Test
  void aSwallowedReplyLeavesASilentConnection() throws Exception {
    Interception fault = proxy.intercept(WireRequest.ofType("b"), RequestFault.REPLY_SWALLOWED);
    client.send("b");
    fault.awaitFired(LONG);
    client.send("c");
    assertThat(client.hearsNothing()).isTrue();
    assertThat(proxy.connections()).hasSize(1);
  }

  @Test
  void aHeldReplyComesWhenItIsReleased() throws Exception {
    Interception fault = proxy.intercept(WireRequest.ofType("b"), RequestFault.REPLY_HELD);
    client.send("b");
    fault.awaitFired(LONG);
    assertThat(client.hearsNothing()).isTrue();
    fault.release();
    assertThat(client.answer()).isEqualTo("- part of b, done b");
  }

  @Test
  void aHeldRequestIsSentWhenItIsReleased() throws Exception {
    Interception fault = proxy.intercept(WireRequest.ofType("b"), RequestFault.HELD);
    client.send("b");
    fault.awaitFired(LONG);
    assertThat(server.received).isEmpty();
    fault.release();
    assertThat(client.answer()).isEqualTo("- part of b, done b");
    assertThat(fault.answer()).isEmpty();
  }

  @Test
  void aStalledConnectionGoesOnWhenItIsResumed() throws Exception {
    client.send("a");
    client.answer();
    proxy.stallAll();
    client.send("b");
    assertThat(client.hearsNothing()).isTrue();
    proxy.resumeAll();
    assertThat(client.answer()).isEqualTo("- part of b, done b");
  }

  @Test
  void oneConnectionCanBeCutAlone() throws Exception {
    client.send("a");
    client.answer();
    ProxyConnection first = proxy.connections().get(0);
    try (LineClient other = new LineClient(proxy.port())) {
      other.send("b");
      other.answer();
      first.cut();
      assertThat(client.isCut()).isTrue();
      other.send("c");
      assertThat(other.answer()).isEqualTo("- part of c, done c");
      assertThat(proxy.connections()).hasSize(1);
      assertThat(proxy.connectionsSoFar()).isEqualTo(2);
    }
  }

  @Test
  void aRefusingProxyLeadsNobodyThrough() throws Exception {
    proxy.refuse(true);
    try (LineClient refused = new LineClient(proxy.port())) {
      assertThat(refused.isCut()).isTrue();
    }
    proxy.heal();
    try (LineClient welcome = new LineClient(proxy.port())) {
      welcome.send("a");
      assertThat(welcome.answer()).isEqualTo("- part of a, done a");
    }
  }

  @Test
  void bytesWithoutMeaningPassAndCanBeHeldBack() throws Exception {
    try (TcpProxy opaque = TcpProxy.open(MessageFramer.opaque())) {
      opaque.forwardTo(server.port());
      try (LineClient other = new LineClient(opaque.port())) {
        other.send("a");
        assertThat(other.answer()).isEqualTo("- part of a, done a");
        Interception fault =
            opaque.intercept(request -> request.contains("b"), RequestFault.REPLY_LOST);
        other.send("b");
        assertThat(other.isCut()).isTrue();
        fault.awaitFired(LONG);
        assertThat(fault.answer()).contains(WireReply.Outcome.UNKNOWN);
      }
    }
  }
}
