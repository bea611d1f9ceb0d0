package dev.twophase.testkit.internal.faults;

import dev.twophase.testkit.internal.gate.CallGate;
import dev.twophase.testkit.internal.gate.InjectedFaultException;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.jspecify.annotations.Nullable;

/**
 * Puts the gate in front of the calls of JDBC that reach the database, from the data source down.
 * When an attempt is killed its connections are cut, as those of a dead process are.
 */
public final class FaultyJdbc implements InvocationHandler, Serializable {

  private static final long serialVersionUID = 1L;

  private static final String CONNECTION_FAILURE = "08006";

  /** From the most specific: the first that a result implements is what it is decorated as. */
  private static final List<Class<?>> DECORATED =
      List.of(
          CallableStatement.class,
          PreparedStatement.class,
          Statement.class,
          Connection.class,
          XAConnection.class,
          XAResource.class);

  private static final Map<Method, String> CALL_CLASSES = new ConcurrentHashMap<>();

  private final Class<?> type;

  @SuppressWarnings("serial") // serializable if the data source is
  private final Object target;

  private final transient @Nullable CallGate owner;

  private FaultyJdbc(Class<?> type, Object target, @Nullable CallGate owner) {
    this.type = type;
    this.target = target;
    this.owner = owner;
  }

  /** See {@code Faults.aroundDataSource}. */
  public static DataSource around(DataSource dataSource) {
    return proxy(DataSource.class, dataSource, null);
  }

  /** See {@code Faults.aroundDataSource}. */
  public static XADataSource around(XADataSource dataSource) {
    return proxy(XADataSource.class, dataSource, null);
  }

  private static <T> T proxy(Class<T> type, Object target, @Nullable CallGate owner) {
    return type.cast(
        Proxy.newProxyInstance(
            FaultyJdbc.class.getClassLoader(),
            new Class<?>[] {type},
            new FaultyJdbc(type, target, owner)));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args)
      throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return method.getName().equals("equals")
          ? (Object) (args != null && proxy == args[0])
          : forward(method, args);
    }
    CallGate gate = owner != null ? owner : CallGate.current();
    if (gate == null || !reachesTheDatabase(method)) {
      return decorated(method, forward(method, args), gate);
    }
    String callClass =
        CALL_CLASSES.computeIfAbsent(method, key -> type.getSimpleName() + "." + key.getName());
    boolean withhold;
    try {
      withhold = gate.enter(callClass);
    } catch (InjectedFaultException injected) {
      throw asDeclared(injected);
    }
    Object result = decorated(method, forward(method, args), gate);
    if (withhold) {
      throw asDeclared(gate.withheld(callClass));
    }
    return result;
  }

  private static boolean reachesTheDatabase(Method method) {
    String name = method.getName();
    Class<?> declaring = method.getDeclaringClass();
    if (Statement.class.isAssignableFrom(declaring)) {
      return name.startsWith("execute");
    }
    if (declaring == XAResource.class) {
      return !name.equals("isSameRM");
    }
    // By unwrap one gets at interfaces of the driver, whose calls are not decorated.
    return (name.equals("getConnection") && declaring == DataSource.class)
        || List.of("getXAConnection", "commit", "unwrap").contains(name);
  }

  private static @Nullable Object decorated(
      Method method, @Nullable Object result, @Nullable CallGate gate) {
    if (gate == null || method.getName().equals("unwrap")) {
      return result;
    }
    Class<?> type = decoratedType(method.getReturnType(), result);
    if (type == null || result == null) {
      return result;
    }
    if (type == Connection.class) {
      Connection connection = (Connection) result;
      gate.whenSevered(() -> connection.abort(Runnable::run));
    } else if (type == XAConnection.class) {
      gate.whenSevered(((XAConnection) result)::close);
    }
    return proxy(type, result, gate);
  }

  /** As what it was asked for: a driver's class may implement several of these interfaces. */
  private static @Nullable Class<?> decoratedType(Class<?> declared, @Nullable Object result) {
    if (DECORATED.contains(declared)) {
      return declared;
    }
    for (Class<?> type : DECORATED) {
      if (type.isInstance(result)) {
        return type;
      }
    }
    return null;
  }

  private @Nullable Object forward(Method method, @Nullable Object @Nullable [] args)
      throws Throwable {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException thrown) {
      Throwable cause = thrown.getCause();
      throw cause == null ? thrown : cause;
    }
  }

  private Exception asDeclared(InjectedFaultException injected) {
    if (type == XAResource.class) {
      XAException failure = new XAException(XAException.XAER_RMFAIL);
      failure.initCause(injected);
      return failure;
    }
    return new SQLException(injected.getMessage(), CONNECTION_FAILURE, injected);
  }
}
