package dev.twophase.testkit.internal.run;

import dev.twophase.TransactionalConnector;
import dev.twophase.testkit.SinkUnderTest;
import dev.twophase.testkit.TestRecord;
import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.tier.AttemptClassLoader;
import dev.twophase.testkit.internal.watch.InconclusiveException;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.jspecify.annotations.Nullable;

/** Names of what each attempt is to load anew: a misspelt one would switch the check off. */
final class IsolatedClasses {

  /** What the kit, Flink and an attempt speak to each other in. */
  private static final List<Class<?>> SHARED =
      List.of(
          Object.class,
          ExecutionConfig.class,
          Sink.class,
          DeliveryGuarantee.class,
          SimpleVersionedSerializer.class,
          OperatorID.class,
          StreamOperator.class,
          TransactionalConnector.class,
          SinkUnderTest.class,
          TestRecord.class,
          CallGate.class);

  private IsolatedClasses() {}

  /**
   * Refuses names that nothing has, and those of what attempts must share with the kit.
   *
   * @throws InconclusiveException naming it
   */
  static void check(List<String> names, @Nullable ClassLoader ofSink) {
    ClassLoader loader = ofSink == null ? ClassLoader.getSystemClassLoader() : ofSink;
    for (String name : names) {
      String full = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
      for (Class<?> shared : SHARED) {
        if (full.startsWith("java.") || AttemptClassLoader.covers(name, shared.getName())) {
          throw refused(
              name,
              "attempts share what belongs to the JDK, to Flink and to the kit, such as "
                  + shared.getName()
                  + ": name the sink's own classes");
        }
      }
      if (full.isBlank() || !(isClass(full, loader) || isPackage(full, loader))) {
        throw refused(name, "no class or package has that name: it must be given in full");
      }
    }
  }

  private static InconclusiveException refused(String name, String why) {
    return InconclusiveException.mistakeOfTest(
        "isolatedClasses() returned \"" + name + "\": " + why, null);
  }

  private static boolean isClass(String name, ClassLoader loader) {
    try {
      return Class.forName(name, false, loader) != null;
    } catch (ClassNotFoundException | LinkageError none) {
      return false;
    }
  }

  /** A jar need not list its directories; of what is loaded from it the package is known. */
  private static boolean isPackage(String name, ClassLoader loader) {
    if (loader.getResource(name.replace('.', '/') + '/') != null) {
      return true;
    }
    for (ClassLoader each = loader; each != null; each = each.getParent()) {
      if (Arrays.stream(each.getDefinedPackages())
          .map(Package::getName)
          .anyMatch(known -> known.equals(name) || known.startsWith(name + "."))) {
        return true;
      }
    }
    return false;
  }
}
