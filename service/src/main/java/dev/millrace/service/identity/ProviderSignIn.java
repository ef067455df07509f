package dev.millrace.service.identity;

import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.LogoutRequest;
import com.nimbusds.openid.connect.sdk.Nonce;
import dev.millrace.contract.digest.ConstantTime;
import dev.millrace.postgres.tenants.Audit;
import dev.millrace.service.access.IdentityPasses;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** Signing in to the console by OpenID Connect: the authorization code flow with PKCE. */
public final class ProviderSignIn {

  /** Where the provider sends people back to, below the public URL. */
  public static final String CALLBACK = "/console/sign-in/callback";

  /** As long as somebody may take at the provider. */
  public static final Duration PATIENCE = Duration.ofMinutes(10);

  private static final String SIGNED_OUT = "/console/sign-in";
  private static final Logger LOG = LoggerFactory.getLogger(ProviderSignIn.class);

  private final IdentityTerms.SignIn terms;
  private final KnownIssuer issuer;
  private final CodeExchange exchange;
  private final People people;
  private final IdentityPasses passes;
  private final Audit audit;

  ProviderSignIn(
      IdentityTerms.SignIn terms,
      KnownIssuer issuer,
      CodeExchange exchange,
      People people,
      IdentityPasses passes,
      Audit audit) {
    this.terms = terms;
    this.issuer = issuer;
    this.exchange = exchange;
    this.people = people;
    this.passes = passes;
    this.audit = audit;
  }

  /** What the provider is called, for people. */
  public String name() {
    return terms.name();
  }

  /** As long as a session lasts at most. */
  public Duration session() {
    return terms.session();
  }

  /** What becomes of the wish to sign in. */
  public sealed interface Beginning {

    /**
     * The provider goes on.
     *
     * @param to an address of the provider
     * @param notes what the browser is to keep and to bring back
     */
    record Leads(URI to, String notes) implements Beginning {

      @Override
      public String toString() {
        return "Leads";
      }
    }

    /** The provider can't be asked. */
    record Unavailable() implements Beginning {}
  }

  /**
   * Begins.
   *
   * @param to the page that is wanted, which must be one of ours
   */
  public Beginning begin(String to) {
    State state = new State();
    Nonce nonce = new Nonce();
    CodeVerifier verifier = new CodeVerifier();
    try {
      URI endpoint = issuer.document().authorization();
      if (endpoint == null) {
        throw new ProviderTrouble("its discovery document names no authorization_endpoint");
      }
      URI leads =
          new AuthenticationRequest.Builder(
                  ResponseType.CODE,
                  new Scope(terms.scopes().toArray(String[]::new)),
                  new ClientID(terms.clientId()),
                  terms.at(CALLBACK))
              .endpointURI(endpoint)
              .state(state)
              .nonce(nonce)
              .codeChallenge(verifier, CodeChallengeMethod.S256)
              .build()
              .toURI();
      return new Beginning.Leads(
          leads,
          new SignInNotes(state.getValue(), nonce.getValue(), verifier.getValue(), to).text());
    } catch (ProviderTrouble e) {
      LOG.warn("Nobody can sign in by {}: {}", terms.issuer(), e.getMessage());
      return new Beginning.Unavailable();
    }
  }

  /**
   * What the browser brings back from the provider.
   *
   * @param issuer who the provider says it is, or null
   * @param error why there is no code, or null
   */
  public record Answer(
      @Nullable String state,
      @Nullable String code,
      @Nullable String issuer,
      @Nullable String error) {

    /** Without the code. */
    @Override
    public String toString() {
      return "Answer";
    }
  }

  /** What becomes of what the browser brought back. */
  public sealed interface Ending {

    /**
     * Somebody is signed in.
     *
     * @param secret of the session
     * @param to the page that was wanted
     */
    record Entered(String secret, String to) implements Ending {

      @Override
      public String toString() {
        return "Entered";
      }
    }

    /** It wasn't begun in this browser, or too long ago. */
    record Stale() implements Ending {}

    /** Whoever was asked didn't agree, or the provider didn't let him. */
    record Denied() implements Ending {}

    /**
     * Somebody signed in who has nothing here.
     *
     * @param reason a sentence for him
     */
    record NoAccess(String reason) implements Ending {}

    /** The provider refused to finish, or its answer can't be believed; the log says why. */
    record Failed() implements Ending {}

    /** The provider can't be asked. */
    record Unavailable() implements Ending {}
  }

  /**
   * Ends what was begun.
   *
   * @param kept the notes that the browser brings back, or null
   */
  public Ending end(Answer answer, @Nullable String kept) {
    Optional<SignInNotes> notes = SignInNotes.read(kept);
    if (notes.isEmpty()
        || answer.state() == null
        || !ConstantTime.equal(notes.get().state(), answer.state())) {
      return new Ending.Stale();
    }
    try {
      requireOwn(answer);
      if (answer.error() != null) {
        return refused(answer.error());
      }
      if (answer.code() == null || answer.code().isBlank()) {
        throw new CodeExchange.Refused("it sent back neither a code nor an error");
      }
      return met(
          people.meet(issuer.name(), exchange.claims(answer.code(), notes.get())), notes.get());
    } catch (ProviderTrouble e) {
      LOG.warn("A sign-in by {} can't be finished: {}", terms.issuer(), e.getMessage());
      return new Ending.Unavailable();
    } catch (CodeExchange.Refused e) {
      LOG.warn("A sign-in by {} was refused: {}", terms.issuer(), e.getMessage());
      return new Ending.Failed();
    }
  }

  /** An answer of another provider must not be taken for one of ours (RFC 9207). */
  private void requireOwn(Answer answer) throws ProviderTrouble, CodeExchange.Refused {
    boolean named = answer.issuer() != null;
    if (named ? !issuer.name().equals(answer.issuer()) : issuer.document().namesItself()) {
      throw new CodeExchange.Refused("the browser brought back another provider's answer");
    }
  }

  private Ending refused(String error) {
    if (error.equals("access_denied")) {
      return new Ending.Denied();
    }
    LOG.warn(
        "A sign-in by {} was refused: {}",
        terms.issuer(),
        error.matches("[a-z_]{1,40}") ? error : "with an unknown error");
    return new Ending.Failed();
  }

  private Ending met(People.Meeting meeting, SignInNotes notes) {
    return switch (meeting) {
      case People.Meeting.Stranger(String reason) -> new Ending.NoAccess(reason);
      case People.Meeting.LetIn(var principal, String subject) -> {
        audit.write(
            principal.audit(
                "console.sign_in",
                principal.credential().id().toString(),
                JsonMapper.shared()
                    .createObjectNode()
                    .put("issuer", issuer.name())
                    .put("subject", subject)
                    .put("role", principal.role().label())
                    .toString()));
        yield new Ending.Entered(passes.issue(principal, terms.session()), notes.to());
      }
    };
  }

  /** Where one signs out at the provider too, if it has such a place and can be asked. */
  public Optional<URI> leave() {
    try {
      return Optional.ofNullable(issuer.document().endSession())
          .map(endpoint ->
              new LogoutRequest(
                      endpoint,
                      null,
                      null,
                      new ClientID(terms.clientId()),
                      terms.at(SIGNED_OUT),
                      null,
                      null)
                  .toURI());
    } catch (ProviderTrouble _) {
      return Optional.empty();
    }
  }
}
