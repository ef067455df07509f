package dev.millrace.web.console.frame;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Things in words for people: states, times, sizes, credits. */
public final class Words {

  private static final DateTimeFormatter UTC =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final long MINUTE = 60;
  private static final long HOUR = 3_600;
  private static final long DAY = 86_400;
  private static final long KIBI = 1_024;

  private Words() {}

  /** A label of ours with spaces: {@code dead_letter} is "dead letter". */
  public static String plain(@Nullable String label) {
    return label == null ? "" : label.replace('_', ' ');
  }

  public static String state(String label) {
    return switch (label) {
      case "waiting_review" -> "waiting for review";
      case "pending_approval" -> "waiting for approval";
      case "submitted" -> "at the provider";
      case "open" -> "resting";
      case "trying" -> "being tried";
      default -> plain(label);
    };
  }

  /** Which colour goes with it; the icon and the word say the same. */
  public static String tone(String label) {
    return switch (label) {
      case "completed", "approved", "done", "holds", "enabled", "delivered", "works", "active" ->
          "ok";
      case "failed",
          "dead_letter",
          "rejected",
          "blocked",
          "revoked",
          "broken",
          "disabled",
          "open" ->
          "bad";
      case "waiting_review",
          "expired",
          "canceling",
          "paused",
          "draining",
          "pending_approval",
          "failing",
          "held",
          "suspended",
          "removing",
          "trying" ->
          "warn";
      case "running", "submitted", "queued" -> "live";
      default -> "quiet";
    };
  }

  public static String icon(String label) {
    return switch (label) {
      case "completed", "approved", "done", "holds", "enabled", "delivered", "works", "active" ->
          "ok";
      case "failed", "broken" -> "cross";
      case "failing", "open" -> "warn";
      case "dead_letter" -> "tray";
      case "rejected" -> "shield";
      case "blocked", "revoked", "disabled" -> "stop";
      case "waiting_review", "pending_approval" -> "eye";
      case "expired" -> "sand";
      case "running", "trying" -> "turn";
      case "submitted" -> "away";
      case "queued" -> "queue";
      case "paused", "draining", "held", "suspended" -> "pause";
      case "canceled", "canceling", "stopped", "removing", "removed" -> "slash";
      default -> "clock";
    };
  }

  public static String utc(Instant at) {
    return UTC.format(at);
  }

  public static String ago(Instant at) {
    long seconds = Duration.between(at, Instant.now()).toSeconds();
    return seconds < 0 ? "in " + coarse(-seconds) : coarse(seconds) + " ago";
  }

  private static String coarse(long seconds) {
    if (seconds < MINUTE) {
      return seconds + " s";
    }
    if (seconds < HOUR) {
      return seconds / MINUTE + " min";
    }
    return seconds < 2 * DAY ? seconds / HOUR + " h" : seconds / DAY + " d";
  }

  /** A length of time with as much detail as matters. */
  public static String span(double seconds) {
    if (seconds < 0) {
      return "–";
    }
    if (seconds < 1) {
      return Math.round(seconds * 1000) + " ms";
    }
    if (seconds < MINUTE) {
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    long whole = Math.round(seconds);
    if (whole < HOUR) {
      return whole / MINUTE + " min " + whole % MINUTE + " s";
    }
    return whole < 2 * DAY
        ? whole / HOUR + " h " + whole % HOUR / MINUTE + " min"
        : whole / DAY + " d " + whole % DAY / HOUR + " h";
  }

  public static String span(Instant from, Instant to) {
    return span(Duration.between(from, to).toMillis() / 1000.0);
  }

  public static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  public static String decimal(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }

  public static String count(long number, String one, String many) {
    return number(number) + " " + (number == 1 ? one : many);
  }

  public static String credits(long credits) {
    return count(credits, "credit", "credits");
  }

  public static String bytes(long bytes) {
    if (bytes < KIBI) {
      return bytes + " B";
    }
    double kibi = bytes / (double) KIBI;
    return kibi < KIBI
        ? String.format(Locale.ROOT, "%.0f KB", kibi)
        : String.format(Locale.ROOT, "%.1f MB", kibi / KIBI);
  }

  /** Enough of an id to tell it from others at a glance: its random end. */
  public static String shortId(Object id) {
    String text = id.toString();
    return text.substring(Math.max(0, text.length() - 8));
  }
}
