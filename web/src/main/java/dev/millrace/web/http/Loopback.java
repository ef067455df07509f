package dev.millrace.web.http;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls routes from within the process, as if the request had come over the network. So a page that
 * does something does exactly what the API does, with the same checks and the same refusals.
 */
public final class Loopback {

  private final Router router;

  public Loopback(List<Route> routes) {
    this.router = new Router(routes);
  }

  /**
   * The JSON of an answer; a null node if it has none.
   *
   * @param origin the request in whose course this happens: its id and host are taken over
   * @param target a path with its query, percent-encoded
   * @throws ProblemException for a refusal, as over the network
   */
  public JsonNode call(Request origin, String method, String target, @Nullable ObjectNode body)
      throws Exception {
    int question = target.indexOf('?');
    String path = question < 0 ? target : target.substring(0, question);
    String query = question < 0 ? "" : target.substring(question + 1);
    Map<String, List<String>> headers = new HashMap<>();
    headers.put("host", origin.headers("host"));
    if (body != null) {
      headers.put("content-type", List.of("application/json"));
    }
    RequestHead head =
        new RequestHead(origin.id(), method, path, query, headers, origin.remoteAddress());
    Router.Match match = router.match(method, path);
    byte[] bytes = body == null ? new byte[0] : JsonBytes.bytes(body);
    Response response =
        match.route().handler().handle(new Request(head, match.parameters(), bytes));
    return response.body() instanceof ResponseBody.Bytes content
        ? JsonMapper.shared().readTree(content.content())
        : JsonMapper.shared().nullNode();
  }
}
