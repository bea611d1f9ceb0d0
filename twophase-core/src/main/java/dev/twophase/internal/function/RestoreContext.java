package dev.twophase.internal.function;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.OptionalLong;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.runtime.state.FunctionInitializationContext;

/** The context as the base class is to see it: with another list state than it asks for. */
public final class RestoreContext implements FunctionInitializationContext {

  /** Makes the list state that the base class gets. */
  @FunctionalInterface
  public interface Substitute {
    ListState<?> listState(ListStateDescriptor<?> descriptor) throws Exception;
  }

  private final FunctionInitializationContext delegate;
  private final OperatorStateStore store;

  public RestoreContext(FunctionInitializationContext delegate, Substitute substitute) {
    this.delegate = delegate;
    this.store = substituting(delegate.getOperatorStateStore(), substitute);
  }

  /** A proxy, because the interface has other methods in each Flink line. */
  private static OperatorStateStore substituting(
      OperatorStateStore delegate, Substitute substitute) {
    return (OperatorStateStore)
        Proxy.newProxyInstance(
            OperatorStateStore.class.getClassLoader(),
            new Class<?>[] {OperatorStateStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getListState")
                  && arguments[0] instanceof ListStateDescriptor<?> descriptor) {
                return substitute.listState(descriptor);
              }
              try {
                return method.invoke(delegate, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getTargetException();
              }
            });
  }

  @Override
  public boolean isRestored() {
    return delegate.isRestored();
  }

  @Override
  public OptionalLong getRestoredCheckpointId() {
    return delegate.getRestoredCheckpointId();
  }

  @Override
  public OperatorStateStore getOperatorStateStore() {
    return store;
  }

  @Override
  public KeyedStateStore getKeyedStateStore() {
    return delegate.getKeyedStateStore();
  }
}
