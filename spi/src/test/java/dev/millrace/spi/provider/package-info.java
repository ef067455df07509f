/** The records of the provider interface bound what a service may claim. */
@NullMarked
package dev.millrace.spi.provider;

import org.jspecify.annotations.NullMarked;
