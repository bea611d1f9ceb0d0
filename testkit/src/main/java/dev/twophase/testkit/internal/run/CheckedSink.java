package dev.twophase.testkit.internal.run;

import dev.twophase.testkit.ExternalEvent;
import dev.twophase.testkit.SinkClaims;
import dev.twophase.testkit.SinkSetup;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.gate.AttemptKilledError;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.gate.SinkInTheMaking;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import dev.twophase.testkit.schedule.FaultKind;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.RandomAccess;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The methods that a sink's author wrote for the kit: what they throw, and null where they return
 * it, is named after them and never held against the sink.
 */
final class CheckedSink<IN> implements SinkUnderTest<IN> {

  private static final String INPUT = "input(...)";
  private static final String READ_VISIBLE = "readVisible(...)";

  private static final String WHAT_TO_READ =
      "return a list without nulls, an empty one as long as nothing is visible";

  private final SinkUnderTest<IN> sink;

  CheckedSink(SinkUnderTest<IN> sink) {
    this.sink = sink;
  }

  @Override
  public Object sink(SinkSetup setup) {
    return call(
        "sink(...)",
        "return a Flink Sink, a SinkFunction or a TransactionalConnector",
        () -> SinkInTheMaking.make(() -> sink.sink(setup)));
  }

  @Override
  public IN input(TestRecord record) {
    // Not by way of call(), nor is the read: both come hundreds of times in each run.
    IN form;
    try {
      form = sink.input(record);
    } catch (Throwable thrown) {
      throw refused(INPUT, thrown);
    }
    return returned(INPUT, "return the sink's form of the record", form);
  }

  /** Two records of which the sink's forms are equal could not be told apart when they are read. */
  void checkInput() {
    TestRecord one = new TestRecord(1, "k0", 0);
    TestRecord other = new TestRecord(2, "k1", 1);
    IN form = input(one);
    if (Objects.deepEquals(form, input(other))) {
      throw mistake(
          "input(...) makes the same of different records, "
              + form
              + ": it must hold the record's id, so that readVisible(...) can tell which it reads",
          null);
    }
  }

  @Override
  public List<TestRecord> readVisible(String namespace) {
    List<TestRecord> visible;
    try {
      visible = sink.readVisible(namespace);
    } catch (Throwable thrown) {
      throw refused(READ_VISIBLE, thrown);
    }
    if (hasNull(returned(READ_VISIBLE, WHAT_TO_READ, visible))) {
      throw mistake("readVisible(...) returned a list with null in it: " + WHAT_TO_READ, null);
    }
    return visible;
  }

  /** After every step of every run: not with an iterator for each. */
  private static boolean hasNull(List<TestRecord> read) {
    if (!(read instanceof RandomAccess)) {
      return read.stream().anyMatch(Objects::isNull);
    }
    for (int i = 0; i < read.size(); i++) {
      if (read.get(i) == null) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Optional<Collection<?>> unfinished(String namespace) {
    return call(
        "unfinished(...)",
        "return Optional.empty() if it cannot be listed",
        () -> sink.unfinished(namespace));
  }

  @Override
  public OptionalLong leftBehind(String namespace) {
    return call(
        "leftBehind(...)",
        "return OptionalLong.empty() if it is not counted",
        () -> sink.leftBehind(namespace));
  }

  @Override
  public boolean external(String namespace, ExternalEvent event) {
    return call("external(..., " + event + ")", "", () -> sink.external(namespace, event));
  }

  @Override
  public SinkClaims claims() {
    return call(
        "claims()", "return SinkClaims.exactlyOnce() or what it is changed to", sink::claims);
  }

  @Override
  public Set<FaultKind> additionalKinds() {
    return call("additionalKinds()", "return Set.of() for none", sink::additionalKinds);
  }

  @Override
  public Set<ExternalEvent> externalEvents() {
    return call("externalEvents()", "return Set.of() for none", sink::externalEvents);
  }

  @Override
  public List<String> isolatedClasses() {
    return call("isolatedClasses()", "return List.of() for none", sink::isolatedClasses);
  }

  @Override
  public int concurrentRuns() {
    int runs = call("concurrentRuns()", "", sink::concurrentRuns);
    if (runs < 1) {
      throw InconclusiveException.mistakeOfTest(
          "concurrentRuns() returned " + runs + ": return 1 or more", null);
    }
    return runs;
  }

  @Override
  public boolean freezesAttempts() {
    return call("freezesAttempts()", "", sink::freezesAttempts);
  }

  @Override
  public boolean toleratesNeighbours() {
    return call("toleratesNeighbours()", "", sink::toleratesNeighbours);
  }

  @Override
  public boolean realServers() {
    return call("realServers()", "", sink::realServers);
  }

  @Override
  public boolean isDeclaredError(Throwable error) {
    return call("isDeclaredError(...)", "", () -> sink.isDeclaredError(error));
  }

  @Override
  public void cleanUp(String namespace) throws Exception {
    sink.cleanUp(namespace);
  }

  private <T> T call(String method, String remedy, Callable<T> call) {
    T result;
    try {
      result = call.call();
    } catch (Throwable thrown) {
      throw refused(method, thrown);
    }
    return returned(method, remedy, result);
  }

  private <T> T returned(String method, String remedy, @Nullable T result) {
    if (result == null) {
      throw mistake(method + " returned null: " + remedy, null);
    }
    return result;
  }

  private InconclusiveException refused(String method, Throwable thrown) {
    if (thrown instanceof InconclusiveException already) {
      return already;
    }
    if (thrown instanceof AttemptKilledError killed) {
      throw killed;
    }
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    if (CallGate.current() != null && !method.startsWith("input")) {
      // It may have been a fault of the schedule that made it fail.
      return new InconclusiveException(named(method) + " failed: " + thrown, thrown);
    }
    return mistake(method + " failed: " + thrown, thrown);
  }

  private InconclusiveException mistake(String what, @Nullable Throwable cause) {
    return InconclusiveException.mistakeOfTest(named(what), cause);
  }

  private String named(String what) {
    return sink.getClass().getName() + ": " + what;
  }
}
