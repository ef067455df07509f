package dev.millrace.architecture.broken.web.dialect;

import dev.millrace.architecture.broken.postgres.Pictures;
import dev.millrace.architecture.broken.web.api.PictureRoutes;
import dev.millrace.architecture.broken.web.http.Request;

/** Makes up a request for a route of the API, and writes to the store by itself. */
public final class CallsARoute {

  public String picture() {
    return new PictureRoutes().show(new Request("/api/pictures/1"));
  }

  public String rename(Pictures pictures) {
    pictures.rename();
    return pictures.name();
  }
}
