package dev.millrace.storage;

import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The names of objects. Only the server makes them, from ids it made itself, so the grammar can be
 * strict: nothing that passes it can climb out of its tenant, be spelled in two ways, or need
 * escaping in a URL.
 *
 * <pre>
 * tenants/{tenant}/jobs/{job}/attempt-{n}/output-{uuid}.{ext}
 * tenants/{tenant}/jobs/{job}/attempt-{n}/text-{uuid}.{ext}
 * tenants/{tenant}/uploads/{uuid}.{ext}
 * catalogue/{sha256}.{ext}
 * </pre>
 *
 * A thumbnail lies beside its original, as {@code ...-thumb.png} or {@code ...-thumb.jpg}.
 */
public final class ObjectKeys {

  private static final String ID = "[A-Za-z0-9][A-Za-z0-9_-]{0,63}";
  private static final String UUID_TEXT = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
  private static final String TENANT = "tenants/" + ID + "/";
  private static final String JOB = TENANT + "jobs/" + ID + "/";
  private static final String ATTEMPT = JOB + "attempt-[1-9][0-9]{0,9}/";
  private static final String STEM =
      "(?:" + ATTEMPT + "(?:output|text)-|tenants/" + ID + "/uploads/)" + UUID_TEXT;

  private static final Pattern IDS = Pattern.compile(ID);
  private static final Pattern ORIGINALS = Pattern.compile(STEM + "\\.[a-z0-9]{1,5}");
  private static final Pattern KEYS =
      Pattern.compile(
          "catalogue/[0-9a-f]{64}\\.[a-z0-9]{1,5}|"
              + STEM
              + "(?:\\.[a-z0-9]{1,5}|-thumb\\.(?:png|jpg))");
  private static final Pattern PREFIXES = Pattern.compile(ATTEMPT + "|" + JOB + "|" + TENANT);

  /** No well-formed key is longer; what is longer is refused before the pattern looks at it. */
  private static final int LONGEST = 256;

  private ObjectKeys() {}

  public static String output(
      String tenant, String jobId, int attempt, UUID fileId, MediaType type) {
    return attemptPrefix(tenant, jobId, attempt) + "output-" + fileId + "." + type.extension();
  }

  /** The key of an output that is a small text. */
  public static String text(String tenant, String jobId, int attempt, UUID fileId, MediaType type) {
    return attemptPrefix(tenant, jobId, attempt) + "text-" + fileId + "." + type.extension();
  }

  /** Whether this is the key of a small text, or of nothing at all. */
  public static boolean isText(String key) {
    return require(key).startsWith("text-", key.lastIndexOf('/') + 1);
  }

  public static String upload(String tenant, UUID fileId, MediaType type) {
    return "tenants/" + id(tenant) + "/uploads/" + fileId + "." + type.extension();
  }

  /** The key of a file that came with the catalogue: the same content has the same key. */
  public static String catalogued(String sha256, MediaType type) {
    return require("catalogue/" + sha256 + "." + type.extension());
  }

  /** The key of the thumbnail beside an original. */
  public static String thumbnail(String original, MediaType type) {
    if (original.length() > LONGEST || !ORIGINALS.matcher(original).matches()) {
      throw new IllegalArgumentException("not the key of an original");
    }
    return require(original.substring(0, original.lastIndexOf('.')) + "-thumb." + type.extension());
  }

  /** Everything that belongs to a tenant lies under this. */
  public static String tenantPrefix(String tenant) {
    return "tenants/" + id(tenant) + "/";
  }

  /** Everything that belongs to a job lies under this. */
  public static String jobPrefix(String tenant, String jobId) {
    return "tenants/" + id(tenant) + "/jobs/" + id(jobId) + "/";
  }

  /** Everything that one attempt produced lies under this. */
  public static String attemptPrefix(String tenant, String jobId, int attempt) {
    if (attempt < 1) {
      throw new IllegalArgumentException("attempts count from 1, not " + attempt);
    }
    return jobPrefix(tenant, jobId) + "attempt-" + attempt + "/";
  }

  public static boolean isKey(String key) {
    return key.length() <= LONGEST && KEYS.matcher(key).matches();
  }

  /** Returns the key, or throws without repeating it: it may be anything, and end in a log. */
  public static String require(String key) {
    if (!isKey(key)) {
      throw new IllegalArgumentException("not an object key");
    }
    return key;
  }

  public static String requirePrefix(String prefix) {
    if (prefix.length() > LONGEST || !PREFIXES.matcher(prefix).matches()) {
      throw new IllegalArgumentException("not the prefix of a tenant, a job or an attempt");
    }
    return prefix;
  }

  private static String id(String id) {
    if (!IDS.matcher(id).matches()) {
      throw new IllegalArgumentException("not an id that can be part of an object key");
    }
    return id;
  }
}
