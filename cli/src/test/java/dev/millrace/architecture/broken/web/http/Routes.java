package dev.millrace.architecture.broken.web.http;

import dev.millrace.architecture.broken.web.WritesSql;
import io.helidon.webserver.WebServer;

/** May know the web server. The other half of the cycle: it also knows the root. */
public record Routes(WebServer webServer, WritesSql sql) {}
