package dev.millrace.service.identity;

import dev.millrace.service.access.BearerKind;
import java.util.regex.Pattern;

/** JWTs of identity providers. They are checked each time, so that one ends when it says. */
final class JwtBearers implements BearerKind {

  /** The beginning of a JSON object in Base64, and the dots of a JWT or of an encrypted one. */
  private static final Pattern SHAPE = Pattern.compile("ey[A-Za-z0-9_-]*(\\.[A-Za-z0-9_-]*){2,4}");

  private final AccessTokens tokens;
  private final People people;

  JwtBearers(AccessTokens tokens, People people) {
    this.tokens = tokens;
    this.people = people;
  }

  @Override
  public boolean fits(String text) {
    return SHAPE.matcher(text).matches();
  }

  @Override
  public Finding find(String text) {
    return switch (tokens.check(text)) {
      case AccessTokens.Check.Bad(String reason) -> new Finding.BadToken(reason);
      case AccessTokens.Check.Unsure() -> new Finding.Unsure();
      case AccessTokens.Check.Good good ->
          switch (people.meet(good.issuer(), good.claims())) {
            case People.Meeting.LetIn known -> new Finding.Known(known.principal());
            case People.Meeting.Stranger(String reason) -> new Finding.NoAccess(reason);
          };
    };
  }
}
