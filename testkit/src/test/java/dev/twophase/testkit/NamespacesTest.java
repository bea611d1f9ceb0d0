package dev.twophase.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.twophase.testkit.internal.tier.AttemptClassLoader;
import dev.twophase.testkit.store.MemoryConnector;
import dev.twophase.testkit.store.MemorySink;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class NamespacesTest {

  /** What a former process has left behind in a lasting system is no business of the next. */
  @Test
  void twoProcessesDoNotBeginWithTheSameNamespace() throws Exception {
    String first = firstOfAFreshKit();

    assertThat(first).matches("run-[0-9]{10}");
    assertThat(firstOfAFreshKit()).hasSameSizeAs(first).isNotEqualTo(first);
  }

  private static String firstOfAFreshKit() throws Exception {
    ClassLoader anew =
        AttemptClassLoader.over(NamespacesTest.class.getClassLoader(), List.of("dev.twophase."));
    Class<?> first = anew.loadClass(First.class.getName());
    return (String) ((Supplier<?>) first.getConstructor().newInstance()).get();
  }

  /** The namespace of the first run in a process. */
  public static final class First implements Supplier<String> {
    @Override
    public String get() {
      AtomicReference<String> namespace = new AtomicReference<>("");
      MemorySink sink =
          new MemorySink(
              given -> {
                namespace.set(given);
                return new MemoryConnector(given);
              });
      SinkKit.of(sink).replay("2pk/1 p=1; settle");
      return namespace.get();
    }
  }
}
