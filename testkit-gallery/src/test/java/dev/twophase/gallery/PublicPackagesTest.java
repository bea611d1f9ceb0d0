package dev.twophase.gallery;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What the gallery proves, anybody can who has the kit. */
@AnalyzeClasses(packages = "dev.twophase.gallery")
class PublicPackagesTest {

  @ArchTest
  static final ArchRule nothingKnowsInternals =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.twophase.internal..", "dev.twophase.testkit..internal..");
}
