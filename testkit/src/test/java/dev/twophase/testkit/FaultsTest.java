package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.testkit.internal.gate.AttemptKilledError;
import dev.twophase.testkit.internal.gate.CallDecider;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.schedule.FaultKind;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FaultsTest {

  interface Client {
    void send(String text) throws SQLException;

    int count();
  }

  private final List<String> calls = new ArrayList<>();
  private final List<String> sent = new ArrayList<>();
  private @Nullable FaultKind next;

  private final CallGate gate =
      new CallGate(
          new CallDecider() {
            @Override
            public @Nullable FaultKind arriving(CallGate at, String callClass) {
              calls.add(callClass);
              return next;
            }

            @Override
            public void fired(CallGate at, String callClass, FaultKind kind) {}
          },
          0,
          0);

  private final Client real =
      new Client() {
        @Override
        public void send(String text) {
          sent.add(text);
        }

        @Override
        public int count() {
          return sent.size();
        }
      };

  private Client decorated() {
    CallGate.bind(gate);
    return new Faults().around(Client.class, real);
  }

  @AfterEach
  void unbind() {
    CallGate.bind(null);
  }

  @Test
  void everyMethodIsAPointNamedAfterTheInterface() throws Exception {
    Client client = decorated();
    client.send("a");

    assertThat(client.count()).isEqualTo(1);
    assertThat(calls).containsExactly("Client.send", "Client.count");
  }

  @Test
  void anErrorIsOfADeclaredTypeAndComesBeforeTheEffect() {
    next = FaultKind.ERROR;
    assertThatThrownBy(() -> decorated().send("a")).isInstanceOf(SQLException.class);
    assertThat(sent).isEmpty();
  }

  @Test
  void aLostReplyComesAfterTheEffect() {
    next = FaultKind.APPLIED;
    assertThatThrownBy(() -> decorated().send("a")).isInstanceOf(SQLException.class);
    assertThat(sent).containsExactly("a");
  }

  @Test
  void whereNothingIsDeclaredTheErrorIsUnchecked() {
    next = FaultKind.ERROR;
    assertThatThrownBy(() -> decorated().count()).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void aKilledAttemptsClientIsSeveredForItsOwnThreadsToo() throws Exception {
    Client client = decorated();
    CallGate.bind(null);
    gate.sever();

    List<Throwable> thrown = new ArrayList<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                client.send("a");
              } catch (Throwable e) {
                thrown.add(e);
              }
            });
    thread.start();
    thread.join();

    assertThat(thrown).singleElement().isInstanceOf(AttemptKilledError.class);
    assertThat(sent).isEmpty();
  }

  @Test
  void outsideAScheduleEverythingPasses() throws Exception {
    Client client = new Faults().around(Client.class, real);
    next = FaultKind.KILL;
    client.send("a");

    assertThat(sent).containsExactly("a");
  }

  @Test
  void aClassIsRefused() {
    assertThatThrownBy(() -> new Faults().around(String.class, "client"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no interface");
  }
}
