package dev.millrace.mutants.result;

/**
 * A mistake in one place. What names it outlives changes elsewhere in the file.
 *
 * @param type the simple name of the class
 * @param member the method, or the constant that holds the statement
 * @param mistake what was done
 * @param place the text it was done to, on one line
 */
public record Mutant(String type, String member, String mistake, String place) {

  /** As it is written in the list of explained survivors. */
  public String name() {
    return "%s.%s | %s | %s".formatted(type, member, mistake, place);
  }
}
