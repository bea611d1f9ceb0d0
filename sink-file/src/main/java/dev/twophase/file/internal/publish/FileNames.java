package dev.twophase.file.internal.publish;

import dev.twophase.TransactionId;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How files are called. All names carry the transaction's id and the part number, so none is ever
 * used twice (W6), and what belongs to whom is found by parsing, never by prefix.
 *
 * <pre>
 * DIRECTORY/.twophase/orders/.orders.3.17.00c0ffee….0    staged
 * DIRECTORY/BUCKET/part.orders.3.17.00c0ffee….0.txt      published
 * </pre>
 *
 * @param prefix first component of a published name, without dots; may be empty
 * @param suffix end of a published name, not beginning with a digit; may be empty
 */
public record FileNames(String prefix, String suffix) implements Serializable {

  private static final long serialVersionUID = 1L;

  /** Hidden directory at the top of the base directory that holds all that is not published. */
  public static final String HIDDEN = ".twophase";

  private static final String MANIFESTS = "_manifests";
  private static final String RETIRED = "_retired";

  /** Directories at the top of the base directory that are no buckets. */
  public static final Set<String> RESERVED = Set.of(MANIFESTS, RETIRED);

  /** Longest file name, in bytes, that every common file system takes. */
  public static final int MAX_NAME_BYTES = 255;

  private static final Pattern DOT = Pattern.compile("\\.");
  private static final Pattern PART = Pattern.compile("\\d{1,10}");
  private static final Pattern PART_AND_SUFFIX =
      Pattern.compile("\\d{1,10}(?!\\d).*", Pattern.DOTALL);
  private static final int ID_COMPONENTS = 4;

  /** Subtask (there are at most 32,768), checkpoint, nonce and part, with the dots around them. */
  private static final int LONGEST_NUMBERS = ".".length() * 4 + 5 + 19 + 32 + 10;

  /** Directory of a sink's staged files. */
  public static String stagingDirectory(String sinkName) {
    return HIDDEN + "/" + sinkName;
  }

  /** Directory of the marks that say which job a sink's name belongs to. */
  public static String ownerDirectory(String sinkName) {
    // No sink's name has a dot, so this is no other sink's staging directory.
    return HIDDEN + "/" + sinkName + ".owner";
  }

  /** Hidden directory of what was retired. */
  public static String retiredDirectory(String sinkName) {
    return HIDDEN + "/" + sinkName + ".retired";
  }

  /** The last component of a path. */
  public static String nameOf(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Directory of the lists of what was retired; readers that do not know them pass over it. */
  public static String retiredList(String sinkName) {
    return RETIRED + "/" + sinkName;
  }

  /** Directory of the marks of buckets that have data but are not complete. */
  public static String openBucketsDirectory(String sinkName) {
    return HIDDEN + "/" + sinkName + ".buckets";
  }

  /** Directory of the notes of buckets that have their marker. */
  public static String markedBucketsDirectory(String sinkName) {
    return HIDDEN + "/" + sinkName + ".marked";
  }

  /** Directory of the marks that say how far each subtask has come. */
  public static String progressDirectory(String sinkName) {
    return HIDDEN + "/" + sinkName + ".progress";
  }

  /** Directory of the marks that say up to what a sink may have committed. */
  public static String sinceDirectory(String sinkName) {
    return HIDDEN + "/" + sinkName + ".since";
  }

  /** Directory of the notes that say where lines of checkpoints branched off. */
  public static String linesDirectory(String sinkName) {
    return HIDDEN + "/" + sinkName + ".lines";
  }

  /** Directory of the marks that say since when each subtask runs. */
  public static String runsDirectory(String sinkName) {
    return HIDDEN + "/" + sinkName + ".runs";
  }

  /** Path of a transaction's staged files up to the part number. */
  static String stagedPrefix(TransactionId id) {
    return stagingDirectory(id.sinkName()) + "/." + id + ".";
  }

  /** Path of one staged file. */
  public static String staged(TransactionId id, int part) {
    return stagedPrefix(id) + part;
  }

  /** Directory of the manifests of a sink; readers that do not know them pass over it. */
  public static String manifestDirectory(String sinkName) {
    return MANIFESTS + "/" + sinkName;
  }

  /** Path below the sink's directory of a file once it is published. */
  public String target(TransactionId id, PreparedFile file) {
    return handle("", id, List.of(file), Optional.empty()).target(file);
  }

  /** Length in bytes of the longest name that a published file of this sink can get. */
  public int longest(String sinkName) {
    int affixes = bytes(prefix.isEmpty() ? "" : prefix + ".") + bytes(suffix);
    return affixes + bytes(sinkName) + LONGEST_NUMBERS;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** The handle of a transaction whose files are named like this, of no line yet. */
  public FileHandle handle(
      String base,
      TransactionId id,
      List<PreparedFile> files,
      Optional<PreparedManifest> manifest) {
    return new FileHandle(
        base,
        stagedPrefix(id),
        (prefix.isEmpty() ? "" : prefix + ".") + id + ".",
        suffix,
        files,
        manifest,
        0);
  }

  /** The transaction of a name in the staging directory, if this sink wrote it. */
  public static Optional<TransactionId> transactionOfStaged(String name, String sinkName) {
    int end = name.lastIndexOf('.');
    if (end < 1 || name.charAt(0) != '.' || !PART.matcher(name.substring(end + 1)).matches()) {
      return Optional.empty();
    }
    return TransactionId.parse(name.substring(1, end)).filter(id -> id.sinkName().equals(sinkName));
  }

  /**
   * The transaction of a published name, if this sink wrote it, with whatever prefix and suffix.
   */
  public static Optional<TransactionId> transactionOfPublished(String name, String sinkName) {
    Optional<TransactionId> withoutPrefix = idAt(name, 0, sinkName);
    return withoutPrefix.isPresent() ? withoutPrefix : idAt(name, 1, sinkName);
  }

  /** Reads an id that begins at the n-th component and is followed by a part number. */
  private static Optional<TransactionId> idAt(String name, int first, String sinkName) {
    String[] components = DOT.split(name, first + ID_COMPONENTS + 1);
    int part = first + ID_COMPONENTS;
    if (components.length <= part
        || !components[first].equals(sinkName)
        || !PART_AND_SUFFIX.matcher(components[part]).matches()) {
      return Optional.empty();
    }
    return TransactionId.parse(
        String.join(
            ".",
            components[first],
            components[first + 1],
            components[first + 2],
            components[part - 1]));
  }
}
