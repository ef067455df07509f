package dev.millrace.web.http;

/** Answers a request. A refusal is a {@link ProblemException}; anything else thrown is a 500. */
@FunctionalInterface
public interface RouteHandler {
  Response handle(Request request) throws Exception;
}
