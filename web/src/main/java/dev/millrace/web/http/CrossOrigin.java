package dev.millrace.web.http;

/**
 * What a browser is told about the pages of other origins that ask. It comes last and sees every
 * answer, errors too, because a page can't read what carries no leave to be read.
 */
@FunctionalInterface
public interface CrossOrigin {

  /** No page of another origin may read anything. */
  CrossOrigin NONE = (_, response) -> response;

  /** The answer with what the page's browser needs to know. */
  Response on(RequestHead head, Response response);
}
