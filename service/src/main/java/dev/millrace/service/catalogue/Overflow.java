package dev.millrace.service.catalogue;

import java.time.Duration;

/**
 * Where an effect's jobs may go when their own queue is too slow.
 *
 * @param workflow the slug of the workflow whose queue they go to; it has the same properties
 * @param after how long a job waits in its own queue before it may
 * @param mostHeld the most credits that a job may hold to go there: a larger one costs too much
 */
public record Overflow(String workflow, Duration after, long mostHeld) {}
