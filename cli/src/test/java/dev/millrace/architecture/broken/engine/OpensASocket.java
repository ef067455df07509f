package dev.millrace.architecture.broken.engine;

import java.net.http.HttpClient;

/** A decision that calls the outside. */
public record OpensASocket(HttpClient client) {}
