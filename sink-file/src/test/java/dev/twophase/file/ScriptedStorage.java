package dev.twophase.file;

import dev.twophase.file.internal.storage.LocalStorage;
import dev.twophase.file.internal.storage.StagedOutput;
import dev.twophase.file.internal.storage.Storage;
import dev.twophase.file.internal.storage.StorageFactory;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The local storage with a script in front of every real call, and behind it. */
public final class ScriptedStorage {

  private static final Map<String, Script> SCRIPTS = new ConcurrentHashMap<>();
  private static final Map<String, Storage> REAL = new ConcurrentHashMap<>();

  private ScriptedStorage() {}

  /** Sees calls such as {@code publish .twophase/orders/.orders… part.orders…}. */
  public interface Script {

    void before(String call) throws IOException;

    default void after(String call) throws IOException {}

    /** One that looks on behind the calls. */
    static Script after(Consumer<String> action) {
      return new Script() {
        @Override
        public void before(String call) {}

        @Override
        public void after(String call) {
          action.accept(call);
        }
      };
    }
  }

  /** A factory that survives the serialization into a job, and its script with it. */
  public static StorageFactory following(Script script) {
    return following(uri -> new LocalStorage(Path.of(uri)), script);
  }

  /** The same in front of another storage. */
  public static StorageFactory following(StorageFactory real, Script script) {
    String key = UUID.randomUUID().toString();
    SCRIPTS.put(key, script);
    return uri -> wrap(Storage.class, real.open(uri), "", SCRIPTS.get(key));
  }

  /** The same in front of a storage that lives in this JVM only. */
  public static StorageFactory following(Storage real, Script script) {
    String key = UUID.randomUUID().toString();
    REAL.put(key, real);
    return following(uri -> REAL.get(key), script);
  }

  private static <I> I wrap(Class<I> type, I real, String prefix, Script script) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              StringBuilder call = new StringBuilder(prefix).append(method.getName());
              for (Object argument : arguments == null ? new Object[0] : arguments) {
                call.append(argument instanceof String ? " " + argument : "");
              }
              boolean query = Set.of("base", "fullName", "startsSlowly").contains(method.getName());
              if (!query) {
                script.before(call.toString());
              }
              Object result;
              try {
                result = method.invoke(real, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
              if (!query) {
                script.after(call.toString());
              }
              return result instanceof StagedOutput output
                  ? wrap(StagedOutput.class, output, arguments[0] + " ", script)
                  : result;
            });
    return type.cast(proxy);
  }
}
