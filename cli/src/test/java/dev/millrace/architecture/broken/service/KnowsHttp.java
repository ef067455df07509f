package dev.millrace.architecture.broken.service;

import dev.millrace.architecture.broken.web.KnowsTheWebServer;

/** A use case that knows HTTP. */
public record KnowsHttp(KnowsTheWebServer web) {}
