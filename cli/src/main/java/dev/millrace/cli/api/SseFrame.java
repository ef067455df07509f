package dev.millrace.cli.api;

/**
 * One dispatched event of a stream.
 *
 * @param id the stream's last event id when this was dispatched; empty if there is none
 * @param event the event's type, {@code message} unless the stream named another
 */
record SseFrame(String id, String event, String data) {}
