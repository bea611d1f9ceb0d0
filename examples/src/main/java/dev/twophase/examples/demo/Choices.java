package dev.twophase.examples.demo;

import dev.twophase.examples.faults.Sabotage;
import dev.twophase.examples.run.SinkApi;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Options with a few named values. */
final class Choices {

  private Choices() {}

  /** Values of {@code --sink-api}. */
  static final class Api implements ITypeConverter<SinkApi> {
    @Override
    public SinkApi convert(String value) {
      return choose(value, List.of(SinkApi.V2, SinkApi.FUNCTION));
    }
  }

  /** Values of {@code --sabotage}. */
  static final class How implements ITypeConverter<Sabotage> {
    @Override
    public Sabotage convert(String value) {
      return choose(value, List.of(Sabotage.EARLY_COMMIT, Sabotage.DROP_COMMIT));
    }
  }

  /** Values of {@code --only}. */
  static final class Only implements ITypeConverter<Target> {
    @Override
    public Target convert(String value) {
      return choose(value, List.of(Target.FILES, Target.KAFKA));
    }
  }

  private static <E> E choose(String value, List<E> choices) {
    for (E choice : choices) {
      if (choice.toString().equals(value)) {
        return choice;
      }
    }
    throw new TypeConversionException(
        "'"
            + value
            + "' is unknown: use "
            + choices.stream().map(Object::toString).collect(Collectors.joining(" or ")));
  }
}
