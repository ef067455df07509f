/**
 * Job libraries for Java behind one small interface, so that the benchmark can drive each as a process:
 * it makes the store, submits, or works. The benchmark's class {@code Peers} tells the words.
 */
@NullMarked
package dev.millrace.peers;

import org.jspecify.annotations.NullMarked;
