package dev.millrace.storage;

/** What a look at the stored bytes says about the size and checksum that were noted for them. */
public enum ObjectCheck {
  INTACT,
  MISSING,
  WRONG_SIZE,
  WRONG_CHECKSUM;

  public static ObjectCheck of(ObjectStat found, long size, String sha256) {
    if (found.size() != size) {
      return WRONG_SIZE;
    }
    return found.sha256().equals(sha256) ? INTACT : WRONG_CHECKSUM;
  }

  public boolean intact() {
    return this == INTACT;
  }
}
