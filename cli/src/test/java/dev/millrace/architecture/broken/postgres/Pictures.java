package dev.millrace.architecture.broken.postgres;

import org.jdbi.v3.core.Jdbi;

/** Reads and writes. */
public record Pictures(Jdbi jdbi) {

  public String name() {
    return jdbi.withHandle(
        handle -> handle.createQuery("select name from picture").mapTo(String.class).one());
  }

  public void rename() {
    jdbi.useHandle(handle -> handle.createUpdate("update picture set name = 'a'").execute());
  }
}
