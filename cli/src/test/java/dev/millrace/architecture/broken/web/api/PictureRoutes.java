package dev.millrace.architecture.broken.web.api;

import dev.millrace.architecture.broken.web.http.Request;

/** A route of the API. */
public final class PictureRoutes {

  public String show(Request request) {
    return request.path();
  }
}
