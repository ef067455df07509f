package dev.millrace.web.dialect;

import dev.millrace.web.http.Problem.Violation;
import dev.millrace.web.http.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Refusals that say what is wrong where the client of a dialect wrote it. */
public final class OwnFields {

  private OwnFields() {}

  /**
   * The same refusal, with the places of the fields that the client knows.
   *
   * @param own turns a place in a native request, such as {@code /input/prompt}, into the client's
   */
  public static ProblemException in(ProblemException refusal, UnaryOperator<String> own) {
    if (!(refusal.problem().extra().get("errors") instanceof List<?> errors)) {
      return refusal;
    }
    List<Violation> violations = new ArrayList<>();
    for (Object error : errors) {
      if (error instanceof Violation(String path, String message)) {
        violations.add(new Violation(own.apply(path), message));
      }
    }
    ProblemException told = new ProblemException(refusal.problem().with("errors", violations));
    refusal.headers().forEach(told::header);
    return told;
  }
}
