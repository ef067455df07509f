package dev.millrace.engine.job;

/** Why a job did not succeed, in words that may be shown to its owner. */
public record Failure(String code, String message) {}
