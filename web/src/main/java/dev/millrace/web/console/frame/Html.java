package dev.millrace.web.console.frame;

import dev.millrace.web.http.Response;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Makes pages from the templates that were compiled with the server. */
public final class Html {

  /** Nothing inline, nothing from elsewhere, and no frame around us. */
  static final String CSP =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self';"
          + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  private final TemplateEngine engine =
      TemplateEngine.createPrecompiled(
          null, ContentType.Html, Html.class.getClassLoader(), "dev.millrace.web.console.template");

  public String text(String template, Map<String, Object> values) {
    StringOutput output = new StringOutput();
    engine.render(template + ".jte", values, output);
    return output.toString();
  }

  public Response page(int status, String template, Map<String, Object> values) {
    return guarded(
        Response.bytes(
            status,
            "text/html; charset=utf-8",
            text(template, values).getBytes(StandardCharsets.UTF_8)));
  }

  public static Response guarded(Response response) {
    return response
        .header("Content-Security-Policy", CSP)
        .header("X-Content-Type-Options", "nosniff")
        .header("Referrer-Policy", "same-origin")
        .header("Cross-Origin-Opener-Policy", "same-origin")
        .header("Cache-Control", "no-store");
  }
}
