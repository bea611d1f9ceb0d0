package dev.twophase.testkit;

import dev.twophase.testkit.internal.junit.ContractNodes;
import dev.twophase.testkit.internal.junit.ScheduleExtension;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The kit for a test class that extends something else already. Immutable, except that it learns
 * from JUnit which class that is.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final ExactlyOnceExtension<String> KIT = ExactlyOnceExtension.of(new MySinkUnderTest());
 *
 * @TestFactory
 * Stream<DynamicNode> isExactlyOnce() {
 *   return KIT.nodes();
 * }
 * }</pre>
 *
 * <p>Methods with {@link ScheduleTest} in the same class use its sink.
 *
 * @param <IN> type of the sink's records
 */
public final class ExactlyOnceExtension<IN> implements BeforeAllCallback, BeforeEachCallback {

  private final SinkUnderTest<IN> sink;
  private final Bound bound;
  private final String name;
  private volatile @Nullable Class<?> testClass;

  private ExactlyOnceExtension(SinkUnderTest<IN> sink, Bound bound, String name) {
    this.sink = Objects.requireNonNull(sink, "sink");
    this.bound = Objects.requireNonNull(bound, "bound");
    this.name = Objects.requireNonNull(name, "name");
  }

  /** The kit for a sink, up to the bound of the profile. */
  public static <IN> ExactlyOnceExtension<IN> of(SinkUnderTest<IN> sink) {
    return new ExactlyOnceExtension<>(sink, Bound.ofProfile(), sink.getClass().getSimpleName());
  }

  /** Goes this far; default {@link Bound#ofProfile()}. */
  public ExactlyOnceExtension<IN> withBound(Bound value) {
    return new ExactlyOnceExtension<>(sink, value, name);
  }

  /** Names the sink in reports; default is the simple name of its class. */
  public ExactlyOnceExtension<IN> withName(String value) {
    return new ExactlyOnceExtension<>(sink, bound, value);
  }

  /** The sink under test. */
  public SinkUnderTest<IN> sink() {
    return sink;
  }

  /** For a {@code @TestFactory}: the same nodes as {@link ExactlyOnceSinkContract} has. */
  public Stream<DynamicNode> nodes() {
    Class<?> test = testClass;
    String testName = (test == null ? sink.getClass() : test).getName();
    return new ContractNodes(sink, bound, name, testName).all();
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    testClass = context.getRequiredTestClass();
    ScheduleExtension.register(context, this);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    testClass = context.getRequiredTestClass();
    ScheduleExtension.register(context, this);
  }
}
