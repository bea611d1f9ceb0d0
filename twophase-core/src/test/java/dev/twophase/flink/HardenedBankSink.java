package dev.twophase.flink;

import dev.twophase.internal.engine.EngineClock;
import dev.twophase.store.Bank;
import java.util.Collection;
import java.util.Optional;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;

/** What a user's class looks like after its one line has been changed. */
class HardenedBankSink extends HardenedTwoPhaseCommitSinkFunction<String, String, Integer> {

  private final String bank;
  private final Integer context;
  transient EngineClock clock = EngineClock.system();

  /**
   * @param context the user context, or null for none
   */
  HardenedBankSink(String bank, Integer context) {
    super(StringSerializer.INSTANCE, IntSerializer.INSTANCE);
    this.bank = bank;
    this.context = context;
  }

  @Override
  EngineClock clock() {
    return clock == null ? EngineClock.system() : clock;
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

  Bank bank() {
    return Bank.named(bank);
  }
}
