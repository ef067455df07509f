package dev.millrace.architecture.broken.web.dialect;

import dev.millrace.architecture.broken.web.api.PictureRoutes;
import dev.millrace.architecture.broken.web.http.Request;

/** Makes up a request for a route of the API. */
public final class CallsARoute {

  public String picture() {
    return new PictureRoutes().show(new Request("/api/pictures/1"));
  }
}
