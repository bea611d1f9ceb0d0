package dev.twophase.testkit.internal.fork;

import dev.twophase.testkit.Judgement;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.Verdict;
import dev.twophase.testkit.schedule.Schedule;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** What the two processes say to each other. */
final class Messages {

  private static final int MOST_LETTERS = 16_000;

  /** Asks for the verdict on a schedule. */
  static final String REPLAY = "replay";

  /** Asks for the report of a schedule. */
  static final String REPORT = "report";

  /**
   * What became of a report.
   *
   * @param path of its page; empty if there is none
   * @param error why there is none
   */
  record Written(String path, String error) {}

  private Messages() {}

  static void write(DataOutputStream out, Written written) throws IOException {
    out.writeUTF(written.path());
    out.writeUTF(written.error());
    out.flush();
  }

  static Written readWritten(DataInputStream in) throws IOException {
    return new Written(in.readUTF(), in.readUTF());
  }

  static void write(DataOutputStream out, Judgement judgement) throws IOException {
    out.writeUTF(judgement.verdict().name());
    out.writeInt(judgement.found().size());
    for (Verdict found : judgement.found()) {
      out.writeUTF(found.name());
    }
    out.writeInt(judgement.rules().size());
    for (String rule : judgement.rules()) {
      out.writeUTF(rule);
    }
    out.writeInt(judgement.records().size());
    for (TestRecord record : judgement.records()) {
      out.writeUTF(record.asText());
    }
    String why = judgement.why();
    out.writeUTF(why.substring(0, Math.min(why.length(), MOST_LETTERS)));
    out.flush();
  }

  static Judgement read(DataInputStream in, Schedule schedule) throws IOException {
    Verdict verdict = Verdict.valueOf(in.readUTF());
    EnumSet<Verdict> found = EnumSet.noneOf(Verdict.class);
    for (int left = in.readInt(); left > 0; left--) {
      found.add(Verdict.valueOf(in.readUTF()));
    }
    List<String> rules = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      rules.add(in.readUTF());
    }
    List<TestRecord> records = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      records.add(TestRecord.fromText(in.readUTF()));
    }
    return new Judgement(schedule, verdict, found, rules, records, in.readUTF());
  }
}
