package dev.millrace.service.identity;

import dev.millrace.providers.wire.WireJson;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the browser keeps while somebody is at the provider, so that an answer counts only in the
 * browser where it was asked for, and any node can take it.
 *
 * @param verifier what only who began the sign-in can show for the code (PKCE)
 * @param to the page that was wanted
 */
record SignInNotes(String state, String nonce, String verifier, String to) {

  private static final int LONGEST = 4_000;

  /** Fit for a cookie. */
  String text() {
    String json =
        WireJson.write(Map.of("state", state, "nonce", nonce, "verifier", verifier, "to", to));
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }

  static Optional<SignInNotes> read(@Nullable String text) {
    if (text == null || text.length() > LONGEST) {
      return Optional.empty();
    }
    try {
      String json =
          new String(
              Base64.getUrlDecoder().decode(text.getBytes(StandardCharsets.US_ASCII)),
              StandardCharsets.UTF_8);
      return WireJson.object(json)
          .map(notes ->
              new SignInNotes(
                  notes.path("state").asString(""),
                  notes.path("nonce").asString(""),
                  notes.path("verifier").asString(""),
                  notes.path("to").asString("")))
          .filter(SignInNotes::whole);
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private boolean whole() {
    return !state.isEmpty() && !nonce.isEmpty() && !verifier.isEmpty();
  }

  /** Without what is secret. */
  @Override
  public String toString() {
    return "SignInNotes[" + to + "]";
  }
}
