package dev.twophase.flink;

import dev.twophase.store.Bank;
import java.util.Collection;
import java.util.Optional;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;

/** The same sink on the base class of Flink itself. */
class PlainBankSink extends FlinkTwoPhaseCommitSinkFunction<String, String, Integer> {

  private final String bank;
  private final Integer context;

  /**
   * @param context the user context, or null for none
   */
  PlainBankSink(String bank, Integer context) {
    super(StringSerializer.INSTANCE, IntSerializer.INSTANCE);
    this.bank = bank;
    this.context = context;
  }

  @Override
  protected Optional<Integer> initializeUserContext() {
    return Optional.ofNullable(context);
  }

  @Override
  protected void finishRecoveringContext(Collection<String> handled) {
    bank().note("context " + getUserContext().orElseThrow() + " after " + handled);
  }

  @Override
  protected void invoke(String transaction, String value, Context unused) {
    bank().write(transaction, value);
  }

  @Override
  protected String beginTransaction() {
    return bank().begin();
  }

  @Override
  protected void preCommit(String transaction) {
    bank().preCommit(transaction);
  }

  @Override
  protected void commit(String transaction) {
    bank().commit(transaction);
  }

  @Override
  protected void abort(String transaction) {
    bank().abort(transaction);
  }

  @Override
  FlinkSinkFunction<String> runner() {
    throw new UnsupportedOperationException("runs as it is");
  }

  Bank bank() {
    return Bank.named(bank);
  }
}
