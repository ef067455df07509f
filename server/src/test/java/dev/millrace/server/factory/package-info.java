/** Tests of how the factories of providers are found. */
@NullMarked
package dev.millrace.server.factory;

import org.jspecify.annotations.NullMarked;
