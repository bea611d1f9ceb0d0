package dev.twophase.testkit.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.ConnectorContext;
import dev.twophase.testkit.Faults;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.SinkKit;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.proxy.wire.MessageFramer;
import dev.twophase.testkit.proxy.wire.PostgresFramer;
import dev.twophase.testkit.proxy.wire.WireRequest;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import dev.twophase.testkit.store.OnMemoryStore;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Bytes of which the kit does not know what they are part of. */
class UnreadableWireTest {

  private static final int SSL_REQUEST = 80877103;

  /** Asks its server for encryption when it opens. */
  private static final class Encrypts extends MemoryConnector {
    private static final long serialVersionUID = 1L;
    private final Faults faults;
    private final int server;

    Encrypts(SinkSetup setup, int server) {
      super(setup.namespace());
      this.faults = setup.faults();
      this.server = server;
    }

    @Override
    public void open(ConnectorContext context) {
      super.open(context);
      int port = faults.aroundPort(new PostgresFramer(), server);
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeInt(8);
        out.writeInt(SSL_REQUEST);
        out.flush();
        socket.getInputStream().read();
      } catch (IOException cut) {
        // What it makes of that is of no account.
      }
    }
  }

  private record Encrypted(int server) implements OnMemoryStore {
    @Override
    public Object sink(SinkSetup setup) {
      return new Encrypts(setup, server);
    }
  }

  /** Answers each first byte with the same one. */
  private static Judgement againstAServerThatAnswers(char answer) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread answers =
          new Thread(
              () -> {
                try {
                  while (true) {
                    Socket client = server.accept();
                    client.getInputStream().read();
                    client.getOutputStream().write(answer);
                  }
                } catch (IOException closed) {
                  // The test is over.
                }
              });
      answers.setDaemon(true);
      answers.start();
      return SinkKit.of(new Encrypted(server.getLocalPort())).replay("2pk/1 p=1; s0.in 1; settle");
    }
  }

  @Test
  void anEncryptedConnectionProvesNothingAndSaysWhichSettingToChange() throws IOException {
    Judgement encrypted = againstAServerThatAnswers('S');
    assertThat(encrypted.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(encrypted.why()).contains("sslmode=disable");

    Judgement refused = againstAServerThatAnswers('N');
    assertThat(refused.verdict()).as(refused.describe()).isEqualTo(Verdict.PASS);
  }

  @Test
  void onlyTheFirstBytesOfAConnectionAreABeginning() {
    MessageFramer.Conversation conversation = MessageFramer.opaque().open();
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {1, 2});
    assertThat(conversation.request(bytes).point()).isEqualTo(WireRequest.FIRST_BYTES);
    assertThat(conversation.request(bytes).point()).isEqualTo(WireRequest.MORE_BYTES);
  }

  @Test
  void inTheMiddleOfARequestNothingIsNeverDelivered() {
    SinkKit<TestRecord> kit = SinkKit.of(new MemorySink(MemoryConnector::new));
    Judgement judgement = kit.replay("2pk/1 p=1; s0.in 1 !Tcp.bytes#1=N; settle");
    assertThat(judgement.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(judgement.why()).contains("cannot be done", "Tcp.first");
  }
}
