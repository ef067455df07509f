package dev.millrace.web.api.browser;

import dev.millrace.service.browsers.OriginPattern;
import dev.millrace.service.browsers.Origins;
import dev.millrace.web.api.request.Body;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads from where pages are to be allowed to ask. */
public final class OriginReader {

  private static final int MOST_SHOWN = 100;

  private OriginReader() {}

  /** The origins that a request or a form names, or what is wrong with them. */
  public static List<String> read(ObjectNode fields) {
    Body body = Body.of(fields, "origins");
    @Nullable JsonNode given = body.raw("origins");
    List<String> good = new ArrayList<>();
    if (given == null || !given.isArray()) {
      body.wrong("origins", "must be a list of origins, which may be empty");
    } else {
      for (int i = 0; i < given.size() && i < MOST_SHOWN; i++) {
        Optional<String> origin = OriginPattern.parse(given.path(i).asString(""));
        origin.ifPresent(good::add);
        if (origin.isEmpty()) {
          body.wrong("origins/" + i, OriginPattern.LAW);
        }
      }
      if (given.size() > Origins.MOST) {
        body.wrong("origins", "must be at most " + Origins.MOST);
      }
    }
    body.requireGood();
    return good;
  }
}
