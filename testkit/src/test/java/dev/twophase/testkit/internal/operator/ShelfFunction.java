package dev.twophase.testkit.internal.operator;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.base.VoidSerializer;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;

/** A correct sink on Flink's own two-phase function, which logs every call. */
class ShelfFunction extends LineTwoPhaseFunction<String, ShelfFunction.Open, Void> {

  private final String shelf;

  /** A transaction: its records until it is prepared, then only its id. */
  static final class Open {
    String id = "";
    List<String> records = new ArrayList<>();
  }

  ShelfFunction(String shelf) {
    super(new KryoSerializer<>(Open.class, new SerializerConfigImpl()), VoidSerializer.INSTANCE);
    this.shelf = shelf;
  }

  private Shelf shelf() {
    return Shelf.of(shelf);
  }

  @Override
  protected Open beginTransaction() {
    Open open = new Open();
    open.id = shelf().nextId();
    shelf().log("begin " + open.id);
    return open;
  }

  @Override
  protected void invoke(Open transaction, String value, Context context) {
    shelf().log("invoke " + value);
    transaction.records.add(value);
  }

  @Override
  protected void preCommit(Open transaction) {
    shelf().log("preCommit " + transaction.id);
    shelf().prepare(transaction.id, transaction.records);
  }

  @Override
  protected void commit(Open transaction) {
    shelf().log("commit " + transaction.id);
    shelf().commit(transaction.id);
  }

  @Override
  protected void abort(Open transaction) {
    shelf().log("abort " + transaction.id);
    shelf().prepared.remove(transaction.id);
  }
}
