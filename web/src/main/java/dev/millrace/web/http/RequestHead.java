package dev.millrace.web.http;

import java.util.List;
import java.util.Map;

/**
 * A request without its body, as it came over the wire.
 *
 * @param id the request id that the answer echoes
 * @param rawPath still percent-encoded
 * @param rawQuery still percent-encoded; empty if there is none
 * @param headers by lower-case name
 */
public record RequestHead(
    String id,
    String method,
    String rawPath,
    String rawQuery,
    Map<String, List<String>> headers,
    String remoteAddress) {}
