package dev.twophase.jdbc.table;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** A database that the sink has never heard of: one it knows, under another name. */
final class UnknownDatabase {

  private UnknownDatabase() {}

  static DataSource at(String url, String user) {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> {
          if (!method.getName().equals("getConnection")) {
            throw new UnsupportedOperationException(method.getName());
          }
          return around(
              Connection.class,
              DriverManager.getConnection(url, user, "none"),
              "getMetaData",
              data ->
                  around(
                      DatabaseMetaData.class,
                      (DatabaseMetaData) data,
                      "getDatabaseProductName",
                      name -> "Unheard-of " + name));
        });
  }

  private static <T> T around(
      Class<T> type, T target, String changed, UnaryOperator<Object> change) {
    return proxy(
        type,
        (proxy, method, arguments) -> {
          try {
            Object result = method.invoke(target, arguments);
            return method.getName().equals(changed) ? change.apply(result) : result;
          } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
          }
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            UnknownDatabase.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
