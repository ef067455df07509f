package dev.millrace.web.dialect.replicate;

import dev.millrace.contract.digest.Sha256;
import dev.millrace.service.access.Principal;
import dev.millrace.service.catalogue.Effect;
import dev.millrace.service.jobs.Offer;
import dev.millrace.service.jobs.Offers;
import dev.millrace.web.http.ProblemException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Effects as the models of this dialect. Each has one version, whose id follows from its slug. */
record Models(Offers offers) {

  /** The id of an effect's version. */
  static String version(String slug) {
    return Sha256.hex("version of " + slug);
  }

  /** The effect of a model's name. */
  Effect find(Principal principal, String slug) {
    return offers
        .find(slug)
        .map(Offer::effect)
        .filter(effect -> principal.bounds().allowEffect(slug))
        .orElseThrow(() ->
            new ProblemException(404, "not_found", "The requested resource could not be found."));
  }

  /** The effect of a version: its id, or the model's name with or without it. */
  Optional<String> slug(String version) {
    int colon = version.indexOf(':');
    String id = colon < 0 ? version : version.substring(colon + 1);
    String named = colon < 0 ? version : version.substring(0, colon);
    return offers
        .find(named)
        .map(offer -> offer.effect().slug())
        .filter(slug -> colon < 0 || version(slug).equals(id))
        .or(() -> colon < 0 ? ofId(id) : Optional.empty());
  }

  private Optional<String> ofId(String id) {
    return offers.all().stream()
        .map(offer -> offer.effect().slug())
        .filter(slug -> version(slug).equals(id))
        .findFirst();
  }

  ArrayNode list(Principal principal, URI base) {
    ArrayNode all = JsonMapper.shared().createArrayNode();
    offers.all().stream()
        .map(Offer::effect)
        .filter(effect -> effect.slug().split("/", -1).length == 2)
        .filter(effect -> principal.bounds().allowEffect(effect.slug()))
        .forEach(effect -> all.add(json(effect, base)));
    return all;
  }

  static ObjectNode json(Effect effect, URI base) {
    List<String> names = List.of(effect.slug().split("/", 2));
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("url", PredictionJson.url(base, "replicate/v1/models/" + effect.slug()));
    json.put("owner", names.getFirst());
    json.put("name", names.getLast());
    json.put("description", effect.description());
    json.put("visibility", "private");
    for (String none : List.of("github_url", "paper_url", "license_url", "cover_image_url")) {
      json.putNull(none);
    }
    json.put("run_count", 0);
    json.putNull("default_example");
    json.set("latest_version", version(effect));
    return json;
  }

  static ObjectNode version(Effect effect) {
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("id", version(effect.slug()));
    ObjectNode schemas =
        json.putObject("openapi_schema")
            .put("openapi", "3.1.0")
            .putObject("components")
            .putObject("schemas");
    schemas.set("Input", effect.inputSchema());
    return json;
  }
}
