package dev.twophase.jdbc.table;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.twophase.jdbc.ColumnValue;
import dev.twophase.jdbc.ParameterBinder;
import dev.twophase.jdbc.TransactionalJdbcSink;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is read from a configuration that lacks it. */
class NullSettingTest {

  private static final Map<Class<?>, Object> GIVEN =
      Map.of(
          String.class, "DELETE FROM a",
          ColumnValue.class, (ColumnValue<Object>) record -> record,
          ParameterBinder.class, (ParameterBinder<Object>) (record, parameters) -> {});

  /** All that take something which may be null, with each place of it. */
  static Stream<Arguments> settings() {
    return Arrays.stream(TransactionalJdbcSink.class.getMethods())
        .filter(method -> method.getReturnType() == TransactionalJdbcSink.class)
        .flatMap(
            method ->
                IntStream.range(0, method.getParameterCount())
                    .filter(place -> !method.getParameterTypes()[place].isPrimitive())
                    .mapToObj(place -> Arguments.of(method, place)));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void isToldByTheSettingsName(Method method, int place) {
    Object[] arguments = Arrays.stream(method.getParameterTypes()).map(GIVEN::get).toArray();
    arguments[place] = null;

    assertThatThrownBy(() -> method.invoke(TransactionalJdbcSink.builder(), arguments))
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining(method.getName())
        .hasMessageEndingWith(" is null: give it a value");
  }
}
