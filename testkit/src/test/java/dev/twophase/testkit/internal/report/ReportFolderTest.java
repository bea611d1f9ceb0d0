package dev.twophase.testkit.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReportFolderTest {

  @Test
  void subjectsNeverShareAFolder() {
    List<String> subjects =
        List.of(
            "a.XTest",
            "b.XTest",
            "a.XTest$Inner",
            "a.XTest_Inner",
            "a.ÜberTest",
            "a.ÖberTest",
            "",
            "..",
            "../..",
            "a/b",
            "x".repeat(300) + "1",
            "x".repeat(300) + "2");

    assertThat(subjects.stream().map(ReportFolderTest::nameOf)).doesNotHaveDuplicates();
    assertThat(subjects.stream().map(ReportFolderTest::nameOf))
        .allSatisfy(name -> assertThat(name).matches("[A-Za-z0-9_.-]{1,215}").isNotEqualTo(".."));
  }

  @Test
  void theNameOfAClassIsKept() {
    assertThat(nameOf("com.example.OrdersContractTest"))
        .isEqualTo("com.example.OrdersContractTest");
  }

  private static String nameOf(String subject) {
    return ReportFolder.of(subject).directory().getFileName().toString();
  }
}
