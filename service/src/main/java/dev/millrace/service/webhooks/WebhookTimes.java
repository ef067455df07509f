package dev.millrace.service.webhooks;

import java.time.Duration;

/**
 * How long things take that concern webhooks to products.
 *
 * @param timeout for each answer
 * @param retryFor how long one webhook is tried
 * @param disableAfter how long an endpoint may take nothing
 * @param retention how long deliveries are kept
 */
public record WebhookTimes(
    Duration timeout, Duration retryFor, Duration disableAfter, Duration retention) {}
