/**
 * What a worker does because it runs on EC2: it knows its instance, hears that a Spot instance is
 * about to be taken away, and asks its Auto Scaling group not to end it while it is busy.
 */
@NullMarked
package dev.millrace.worker.aws;

import org.jspecify.annotations.NullMarked;
