package dev.twophase.gallery.function;

import dev.twophase.testkit.SinkSetup;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Correct: says at restore what former attempts left behind, and leaves it alone. */
public class ReportingRenameFunction extends RenameFunction {

  private static final long serialVersionUID = 1L;

  private static final Logger LOG = LoggerFactory.getLogger(ReportingRenameFunction.class);

  public ReportingRenameFunction(SinkSetup setup) {
    super(setup);
  }

  @Override
  void restore(Iterable<String> elements) throws IOException {
    super.restore(elements);
    String prefix = naming().job() + "." + naming().subtask() + ".";
    settleLingering(
        client().listUnfinished().stream().filter(id -> id.startsWith(prefix)).toList());
  }

  void settleLingering(List<String> ids) throws IOException {
    LOG.debug("Left behind by former attempts: {}", ids);
  }
}
