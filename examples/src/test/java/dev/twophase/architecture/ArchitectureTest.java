package dev.twophase.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.apache.flink.util.InstantiationUtil;

/** The borders between modules and packages. Zero violations, none frozen. */
@AnalyzeClasses(packages = "dev.twophase", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String[] SINKS = {
    "dev.twophase.file..", "dev.twophase.kafka..", "dev.twophase.jdbc.."
  };

  private static final String[] CORE = {
    "dev.twophase",
    "dev.twophase.error..",
    "dev.twophase.policy..",
    "dev.twophase.flink..",
    "dev.twophase.internal.."
  };

  @ArchTest
  static final ArchRule coreKnowsNoOtherModule =
      noClasses()
          .that()
          .resideInAnyPackage(CORE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.twophase.file..",
              "dev.twophase.kafka..",
              "dev.twophase.jdbc..",
              "dev.twophase.testkit..",
              "dev.twophase.examples..");

  @ArchTest
  static final ArchRule sinksKnowNeitherEachOtherNorTheTestKit =
      slices().assignedFrom(bySink()).should().notDependOnEachOther().allowEmptyShould(true);

  @ArchTest
  static final ArchRule sinksDoNotDependOnTheTestKit =
      noClasses()
          .that()
          .resideInAnyPackage(SINKS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.twophase.testkit..", "dev.twophase.examples..");

  @ArchTest
  static final ArchRule testKitKnowsNoSink =
      noClasses()
          .that()
          .resideInAPackage("dev.twophase.testkit..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(SINKS);

  @ArchTest
  static final ArchRule brokersForTestsKnowNothingElse =
      noClasses()
          .that()
          .resideInAPackage("dev.twophase.testkit.kafka..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.twophase..")
                  .and(DescribedPredicate.not(resideInAPackage("dev.twophase.testkit.kafka.."))));

  @ArchTest
  static final ArchRule internalsOfCoreStayInCoreAndTheTestKit =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.twophase",
              "dev.twophase.error..",
              "dev.twophase.policy..",
              "dev.twophase.flink..",
              "dev.twophase.internal..",
              "dev.twophase.testkit.internal..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.twophase.internal..");

  @ArchTest
  static final ArchRule engineKnowsNoFlinkRuntime =
      noClasses()
          .that()
          .resideInAPackage("dev.twophase.internal.engine..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.flink.streaming..",
              "org.apache.flink.runtime..",
              "org.apache.flink.api..",
              "dev.twophase.internal.flink..",
              "dev.twophase.flink..");

  @ArchTest
  static final ArchRule packagesOfCoreFormNoCycle =
      slices().assignedFrom(byPackage("of core", resideInCore())).should().beFreeOfCycles();

  /**
   * A builder makes what is internal, and that knows the builder's types: such pairs are no cycle.
   */
  @ArchTest
  static final ArchRule internalPackagesFormNoCycle =
      slices()
          .assignedFrom(byPackage("of internals", resideInAPackage("..internal..")))
          .should()
          .beFreeOfCycles();

  /** What Kafka publishes no documentation of may change with each release. */
  @ArchTest
  static final ArchRule oneClassKnowsInternalsOfKafkasClients =
      noClasses()
          .that()
          .resideInAPackage("dev.twophase..")
          .and()
          .resideOutsideOfPackage("dev.twophase.testkit.kafka.internal..")
          .and()
          .haveNameNotMatching(
              "dev\\.twophase\\.kafka\\.internal\\.client\\.RawEndTransactions(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.kafka.clients",
              "org.apache.kafka..internals..",
              "org.apache.kafka.common.compress..",
              "org.apache.kafka.common.feature..",
              "org.apache.kafka.common.memory..",
              "org.apache.kafka.common.message..",
              "org.apache.kafka.common.network..",
              "org.apache.kafka.common.protocol..",
              "org.apache.kafka.common.record..",
              "org.apache.kafka.common.replica..",
              "org.apache.kafka.common.requests..",
              "org.apache.kafka.common.telemetry..",
              "org.apache.kafka.common.utils..");

  @ArchTest
  static final ArchRule S1_noJavaSerializationInState =
      noClasses()
          .that()
          .resideInAnyPackage(concat(CORE, SINKS))
          .should()
          .dependOnClassesThat()
          .areAssignableTo(ObjectOutputStream.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(ObjectInputStream.class);

  @ArchTest
  static final ArchRule S1_javaSerializationOnlyToCopyTheConnectorOfAJob =
      noClasses()
          .that()
          .resideInAnyPackage(concat(CORE, SINKS))
          .and()
          .doNotHaveFullyQualifiedName("dev.twophase.internal.flink.ConnectorInstance")
          .should()
          .dependOnClassesThat()
          .areAssignableTo(InstantiationUtil.class);

  @ArchTest
  static final ArchRule S1_noEnumOrdinals =
      noClasses()
          .that()
          .resideInAnyPackage(concat(CORE, SINKS))
          .and(DescribedPredicate.not(isSwitchHelper()))
          .should()
          .callMethod(Enum.class, "ordinal");

  @ArchTest
  static final ArchRule noClassIsCalledManagerUtilOrHelper =
      classes()
          .that()
          .resideInAPackage("dev.twophase..")
          .should()
          .haveNameNotMatching(".*((?<!Task|Job)Manager|Utils?|Helper|Misc|Common)$");

  private static DescribedPredicate<JavaClass> isSwitchHelper() {
    return DescribedPredicate.describe(
        "made by the compiler for a switch", type -> type.getName().matches(".*\\$\\d+"));
  }

  private static SliceAssignment byPackage(String which, DescribedPredicate<JavaClass> those) {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        return those.test(type)
            ? SliceIdentifier.of(type.getPackageName())
            : SliceIdentifier.ignore();
      }

      @Override
      public String getDescription() {
        return "packages " + which;
      }
    };
  }

  private static DescribedPredicate<JavaClass> resideInCore() {
    return resideInAPackage("dev.twophase")
        .or(resideInAPackage("dev.twophase.error.."))
        .or(resideInAPackage("dev.twophase.policy.."))
        .or(resideInAPackage("dev.twophase.flink.."))
        .or(resideInAPackage("dev.twophase.internal.."));
  }

  private static SliceAssignment bySink() {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        String[] parts = type.getPackageName().split("\\.");
        return parts.length > 2 && parts[2].matches("file|kafka|jdbc")
            ? SliceIdentifier.of(parts[2])
            : SliceIdentifier.ignore();
      }

      @Override
      public String getDescription() {
        return "sinks";
      }
    };
  }

  private static String[] concat(String[] first, String[] second) {
    String[] all = java.util.Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }
}
