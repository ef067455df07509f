package dev.millrace.architecture.broken.server.http;

import dev.millrace.architecture.broken.server.WritesSql;
import io.helidon.webserver.WebServer;

/** May know the web server. The other half of the cycle: it also knows the server's root. */
public record Routes(WebServer webServer, WritesSql sql) {}
