/**
 * Other job queues beside Millrace, on the same machine in the same run, each with the settings
 * that suit it best. They run as processes of their own from {@code bench/peers}; what is missing
 * on this machine is left out, and the report says so.
 */
@NullMarked
package dev.millrace.bench.peers;

import org.jspecify.annotations.NullMarked;
