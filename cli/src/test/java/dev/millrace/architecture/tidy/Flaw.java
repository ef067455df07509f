package dev.millrace.architecture.tidy;

/**
 * One breach of the house style.
 *
 * @param file relative to the repository
 * @param line counted from 1
 */
record Flaw(String file, long line, String law) {

  @Override
  public String toString() {
    return file + ":" + line + ": " + law;
  }
}
