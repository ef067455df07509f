/**
 * Finds the factories of providers: on the class path, and in the jars of a folder.
 *
 * <p>This is the one place that looks for them, and it knows none by name. A factory that breaks
 * the rules of its interface is a mistake for the operator to read and never an exception.
 *
 * <p>Called by the settings, which take in what the factories declare.
 */
@NullMarked
package dev.millrace.server.factory;

import org.jspecify.annotations.NullMarked;
