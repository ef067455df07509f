/**
 * A double of an invented service: the kind of API that a description is enough for. It queues
 * clips, tells their state, finds them by a tag and calls back with a Standard Webhooks signature.
 */
@NullMarked
package dev.millrace.testkit.clips;

import org.jspecify.annotations.NullMarked;
