package dev.twophase.testkit.internal.protocol;

import dev.twophase.TransactionalConnector;
import dev.twophase.internal.state.WriterState;
import dev.twophase.policy.SinkOptions;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.tier.AttemptSpec;
import dev.twophase.testkit.internal.tier.Subtask;
import dev.twophase.testkit.internal.tier.Tier;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs a connector on the protocol engine alone, with a clock of its own. Each attempt gets new
 * instances of the connector, one as writer and one as committer, and nothing else but bytes.
 */
public final class ProtocolTier<IN, T, H> implements Tier<ProtocolState> {

  private final String sinkName;
  private final SinkOptions options;
  private final Supplier<Callable<TransactionalConnector<IN, T, H>>> attempts;
  private final Function<TestRecord, IN> inputs;
  private final VirtualClock clock = new VirtualClock();

  /**
   * @param attempts makes for each attempt what makes a new instance each time
   */
  public ProtocolTier(
      String sinkName,
      SinkOptions options,
      Supplier<Callable<TransactionalConnector<IN, T, H>>> attempts,
      Function<TestRecord, IN> inputs) {
    this.sinkName = sinkName;
    this.options = options;
    this.attempts = attempts;
    this.inputs = inputs;
  }

  /** Makes the connectors of one attempt. */
  Callable<TransactionalConnector<IN, T, H>> newAttempt() {
    return attempts.get();
  }

  static <C> C newConnector(Callable<C> attempt) {
    try {
      return attempt.call();
    } catch (Exception e) {
      throw new InconclusiveException("The sink could not be made: " + e, e);
    }
  }

  String sinkName() {
    return sinkName;
  }

  SinkOptions options() {
    return options;
  }

  VirtualClock clock() {
    return clock;
  }

  IN input(TestRecord record) {
    return inputs.apply(record);
  }

  @Override
  public Subtask<ProtocolState> start(AttemptSpec<ProtocolState> attempt) throws Exception {
    return ProtocolSubtask.start(this, attempt);
  }

  /**
   * Flink deals the elements of list state in contiguous runs, the longer ones first. A subtask
   * finds those of one run in any order there, and in theirs here.
   */
  @Override
  public List<ProtocolState> repartition(List<ProtocolState> states, int parallelism) {
    List<ProtocolState> dealt = new ArrayList<>(parallelism);
    int share = states.size() / parallelism;
    int longer = states.size() % parallelism;
    int from = 0;
    for (int i = 0; i < parallelism; i++) {
      int to = from + share + (i < longer ? 1 : 0);
      dealt.add(to - from == 1 ? states.get(from) : joined(states.subList(from, to)));
      from = to;
    }
    return dealt;
  }

  private static ProtocolState joined(List<ProtocolState> states) {
    List<byte[]> prepared = new ArrayList<>();
    states.forEach(state -> prepared.addAll(state.prepared()));
    return new ProtocolState(
        prepared, WriterState.newestLine(states.stream().map(ProtocolState::line)));
  }

  @Override
  public void close() {}
}
