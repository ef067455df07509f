package dev.millrace.engine.sim;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;

/** What happened, line by line: all of it as one hash, and the newest lines as text. */
public final class EventLog {

  private static final int KEPT = 60;

  private final MessageDigest digest = sha256();
  private final Deque<String> newest = new ArrayDeque<>();
  private int lines;

  public void add(String line) {
    digest.update(line.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) '\n');
    newest.addLast(line);
    if (newest.size() > KEPT) {
      newest.removeFirst();
    }
    lines++;
  }

  public int lines() {
    return lines;
  }

  public List<String> newest() {
    return List.copyOf(newest);
  }

  /** Ends the log. */
  public String hash() {
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
