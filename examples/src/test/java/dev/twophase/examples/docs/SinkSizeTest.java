package dev.twophase.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sink of one's own is small: what the guide promises about its length. */
class SinkSizeTest {

  @ParameterizedTest
  @CsvSource({
    "src/main/java/dev/twophase/examples/store/LogStoreConnector.java,sink,60",
    "src/test/java/dev/twophase/examples/store/LogStoreContractTest.java,contract,25"
  })
  void regionIsNotLongerThanPromised(Path source, String tag, int most) throws IOException {
    assertThat(SnippetTest.region(source, tag).lines().filter(line -> !line.isBlank()).count())
        .isLessThanOrEqualTo(most);
  }
}
