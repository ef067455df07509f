package dev.millrace.service.guard;

import java.util.List;
import java.util.Set;

/** Judges every text of an input by the rules of the moment. */
public final class PromptGuard implements Gate {

  private final GuardRules rules;

  public PromptGuard(GuardRules rules) {
    this.rules = rules;
  }

  @Override
  public Verdict check(GateRequest request) {
    RuleSet now = rules.current();
    long characters =
        InputTexts.of(request.input(), Set.of()).stream()
            .mapToLong(text -> text.codePointCount(0, text.length()))
            .sum();
    if (characters > now.maxLength()) {
      return new Verdict.Denied(
          Verdict.Denied.TOO_LONG,
          "The texts of the input have more than "
              + now.maxLength()
              + " characters together. Shorten them.");
    }
    List<String> texts = InputTexts.of(request.input(), now.ignoredProperties());
    return now.broken(request.effect(), texts)
        .<Verdict>map(category ->
            new Verdict.Denied(
                category,
                "The input is not allowed here (" + category + "). Change it and try again."))
        .orElse(Verdict.PASS);
  }
}
