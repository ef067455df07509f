package dev.millrace.worker.log;

import dev.millrace.contract.text.OwnerText;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes a text fit for a log line or a public message: short, on one line, without secrets. */
public final class Clean {

  private static final int LONGEST = 300;

  private static final Pattern ADDRESS =
      Pattern.compile("\\b(https?|wss?|s3|file)://([^\\s/?#\"'<>]*)[^\\s\"'<>]*");
  private static final Pattern TOKEN = Pattern.compile("\\b(mrw?_|comfyui-|AKIA)[A-Za-z0-9_-]{6,}");
  private static final Pattern BEARER = Pattern.compile("(?i)\\bbearer\\s+\\S+");
  private static final Pattern FOLDERS = Pattern.compile("(?<![\\w.])(?:/[\\w.@+-]+)+/(?=[\\w.])");
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}+");

  private Clean() {}

  /** Of an address only the host stays, of a path only the file's name. */
  public static String text(@Nullable String raw) {
    if (raw == null) {
      return "";
    }
    // What is cut first can't cost time later, however long it was.
    String text = raw.length() > 20 * LONGEST ? raw.substring(0, 20 * LONGEST) : raw;
    text = CONTROL.matcher(text).replaceAll(" ");
    text = ADDRESS.matcher(text).replaceAll(found -> host(found.group(2)));
    text = BEARER.matcher(text).replaceAll("bearer ***");
    text = TOKEN.matcher(text).replaceAll("***");
    text = FOLDERS.matcher(text).replaceAll("");
    text = text.strip();
    return text.length() > LONGEST ? cut(text, LONGEST - 1) + "…" : text;
  }

  /** What a job's owner may read: the first line, as {@link OwnerText} makes it fit. */
  public static String forOwner(@Nullable String raw) {
    return OwnerText.line(raw == null ? "" : raw.strip().lines().findFirst().orElse(""));
  }

  /** Not longer than this, and never half a character at the end. */
  public static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end);
  }

  /** What went wrong, in a few words. */
  public static String text(Throwable trouble) {
    String message = trouble.getMessage();
    Throwable cause = trouble.getCause();
    if (message == null && cause != null) {
      return text(cause);
    }
    String name = trouble.getClass().getSimpleName();
    return message == null ? name : text(name + ": " + message);
  }

  /** Without the user and password that may stand before it. */
  private static String host(String authority) {
    return authority.substring(authority.lastIndexOf('@') + 1).replace("$", "").replace("\\", "");
  }
}
