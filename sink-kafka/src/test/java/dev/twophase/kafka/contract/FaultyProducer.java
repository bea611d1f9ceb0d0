package dev.twophase.kafka.contract;

import dev.twophase.testkit.Faults;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.apache.kafka.clients.producer.Producer;

/** A producer whose calls pass the kit, but for those that only ask. */
final class FaultyProducer {

  private static final Set<String> QUESTIONS = Set.of("metrics", "partitionsFor");

  private FaultyProducer() {}

  @SuppressWarnings("unchecked") // the type of an interface with parameters
  static Producer<byte[], byte[]> of(Producer<byte[], byte[]> real, Faults faults) {
    Producer<byte[], byte[]> faulty = faults.around(Producer.class, real);
    return (Producer<byte[], byte[]>)
        Proxy.newProxyInstance(
            Producer.class.getClassLoader(),
            new Class<?>[] {Producer.class},
            (proxy, method, arguments) ->
                call(QUESTIONS.contains(method.getName()) ? real : faulty, method, arguments));
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }
}
