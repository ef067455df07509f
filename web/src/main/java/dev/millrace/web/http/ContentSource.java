package dev.millrace.web.http;

import java.io.IOException;
import java.io.InputStream;

/** Opens the content of an answer when it is sent. The layer closes it. */
@FunctionalInterface
public interface ContentSource {
  InputStream open() throws IOException;
}
