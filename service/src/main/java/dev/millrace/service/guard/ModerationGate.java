package dev.millrace.service.guard;

import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a moderation about every text of an input. If that gives no good answer, the setting decides
 * whether jobs wait for it or pass unjudged: its trouble is not the user's fault, and no denial.
 */
public final class ModerationGate implements Gate {

  private static final Logger LOG = LoggerFactory.getLogger(ModerationGate.class);

  private final Moderation moderation;
  private final ModerationFailure failure;

  public ModerationGate(Moderation moderation, ModerationFailure failure) {
    this.moderation = moderation;
    this.failure = failure;
  }

  @Override
  public Verdict check(GateRequest request) throws InterruptedException {
    List<String> texts = InputTexts.of(request.input(), Set.of());
    if (texts.isEmpty()) {
      return Verdict.PASS;
    }
    return switch (moderation.classify(texts)) {
      case Moderation.Answer.Clear() -> Verdict.PASS;
      case Moderation.Answer.Flagged(String category) ->
          new Verdict.Denied(
              category,
              "The input is not allowed here (" + category + "). Change it and try again.");
      case Moderation.Answer.Trouble trouble -> whenInTrouble(trouble);
    };
  }

  private Verdict whenInTrouble(Moderation.Answer.Trouble trouble) {
    return switch (failure) {
      case CLOSED -> {
        LOG.warn("A job was refused for now, because moderation {}", trouble.reason());
        yield new Verdict.Unavailable(trouble.retryAfter());
      }
      case OPEN -> {
        LOG.warn("A job passed unjudged, because moderation {}", trouble.reason());
        yield Verdict.PASS;
      }
    };
  }
}
