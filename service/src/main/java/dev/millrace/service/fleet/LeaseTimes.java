package dev.millrace.service.fleet;

import java.time.Duration;

/**
 * How long a worker holds a job.
 *
 * @param lease after which it must have been heard of
 * @param heartbeat the pause between its words that keeps a lease safely
 */
public record LeaseTimes(Duration lease, Duration heartbeat) {}
