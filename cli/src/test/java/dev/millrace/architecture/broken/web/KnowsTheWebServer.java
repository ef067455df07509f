package dev.millrace.architecture.broken.web;

import io.helidon.webserver.WebServer;

/** The web server outside the HTTP layer. */
public record KnowsTheWebServer(WebServer webServer) {}
