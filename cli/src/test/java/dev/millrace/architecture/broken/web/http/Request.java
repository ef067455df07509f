package dev.millrace.architecture.broken.web.http;

/** What came over a socket. */
public record Request(String path) {}
