/**
 * Doubles of what a worker on EC2 speaks to: the instance metadata service and the Auto Scaling
 * API. They answer as the recordings of AWS's own mock and of moto do.
 */
@NullMarked
package dev.millrace.testkit.aws;

import org.jspecify.annotations.NullMarked;
