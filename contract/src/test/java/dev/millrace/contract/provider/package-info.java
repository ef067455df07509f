/** The records of the provider interface bound what a service may claim. */
@NullMarked
package dev.millrace.contract.provider;

import org.jspecify.annotations.NullMarked;
