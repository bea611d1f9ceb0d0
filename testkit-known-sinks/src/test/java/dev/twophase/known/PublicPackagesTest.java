package dev.twophase.known;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What is found in sinks in use, anybody can find who has the kit. */
@AnalyzeClasses(packages = "dev.twophase.known")
class PublicPackagesTest {

  @ArchTest
  static final ArchRule nothingKnowsInternals =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.twophase.internal..", "dev.twophase.testkit..internal..");
}
