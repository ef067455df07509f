/**
 * What others implement against: providers inside the server, executors inside the worker.
 *
 * <p>Depends on nothing but the JDK. A class here is an agreement with code that we do not build.
 */
@NullMarked
package dev.millrace.spi;

import org.jspecify.annotations.NullMarked;
