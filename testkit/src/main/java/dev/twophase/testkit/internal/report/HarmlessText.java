package dev.twophase.testkit.internal.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.twophase.testkit.internal.report.drawing.Harmless;
import java.io.IOException;

/** Writes text into JSON as it is written into pages: half a character would end the writing. */
final class HarmlessText extends StdSerializer<String> {

  static final Module MODULE =
      new SimpleModule()
          .addSerializer(String.class, new HarmlessText(false))
          .addKeySerializer(String.class, new HarmlessText(true));

  private static final long serialVersionUID = 1L;

  private final boolean key;

  private HarmlessText(boolean key) {
    super(String.class);
    this.key = key;
  }

  @Override
  public void serialize(String text, JsonGenerator out, SerializerProvider provider)
      throws IOException {
    if (key) {
      out.writeFieldName(Harmless.of(text));
    } else {
      out.writeString(Harmless.of(text));
    }
  }
}
