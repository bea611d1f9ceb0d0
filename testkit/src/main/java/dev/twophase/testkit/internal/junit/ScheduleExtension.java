package dev.twophase.testkit.internal.junit;

import dev.twophase.testkit.ExactlyOnceExtension;
import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.ScheduleTest;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.internal.run.Subject;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs the schedules of a {@link ScheduleTest}, each as a test of its own. */
public final class ScheduleExtension implements TestTemplateInvocationContextProvider {

  private static final Namespace NAMESPACE = Namespace.create(ScheduleExtension.class);

  /** Makes the sink of an extension known to the tests of its class. */
  public static void register(ExtensionContext context, ExactlyOnceExtension<?> extension) {
    context.getStore(NAMESPACE).put(ExactlyOnceExtension.class, extension);
  }

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return context.getRequiredTestMethod().isAnnotationPresent(ScheduleTest.class);
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    ScheduleTest test = context.getRequiredTestMethod().getAnnotation(ScheduleTest.class);
    if (test.value().length == 0) {
      throw new ExtensionConfigurationException(
          "@ScheduleTest of "
              + context.getRequiredTestMethod().getName()
              + " has no line: give it one or more, such as \"2pk/1 p=1; s0.in 1; settle\"");
    }
    return Stream.of(test.value()).map(line -> new Invocation(line, test));
  }

  private record Invocation(String line, ScheduleTest test)
      implements TestTemplateInvocationContext {

    @Override
    public String getDisplayName(int invocationIndex) {
      return line.isBlank() ? "(an empty line)" : line;
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(new OneSchedule(line, test));
    }
  }

  /** Runs after the methods that set the test up, and before its body. */
  private static final class OneSchedule implements BeforeTestExecutionCallback, ParameterResolver {
    private final String line;
    private final ScheduleTest test;
    private @Nullable Judgement judgement;

    OneSchedule(String line, ScheduleTest test) {
      this.line = line;
      this.test = test;
    }

    @Override
    public void beforeTestExecution(ExtensionContext context) {
      String name = context.getRequiredTestClass().getSimpleName();
      String testName = context.getRequiredTestClass().getName();
      Verdicts verdicts = new Verdicts(new Subject<>(sinkOf(context)), name, testName);
      Judgement judged = verdicts.replay(line);
      judgement = judged;
      verdicts.assertVerdict(test.expect(), judged);
    }

    private static SinkUnderTest<?> sinkOf(ExtensionContext context) {
      if (context.getRequiredTestInstance() instanceof SinkUnderTest<?> sink) {
        return sink;
      }
      ExactlyOnceExtension<?> extension =
          context.getStore(NAMESPACE).get(ExactlyOnceExtension.class, ExactlyOnceExtension.class);
      if (extension == null) {
        throw new ExtensionConfigurationException(
            context.getRequiredTestClass().getName()
                + " has a @ScheduleTest and no sink: extend ExactlyOnceSinkContract, or add a field"
                + " with @RegisterExtension and an ExactlyOnceExtension");
      }
      return extension.sink();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Judgement.class;
    }

    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return judgement;
    }
  }
}
