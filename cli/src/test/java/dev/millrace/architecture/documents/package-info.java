/**
 * What the pages of the repository claim, held against what it is: links lead somewhere, commands
 * can be typed, variables, routes, classes and metrics exist, and tables are those of the code.
 *
 * <p>A page that names something which isn't there fails the build like any other mistake.
 */
@NullMarked
package dev.millrace.architecture.documents;

import org.jspecify.annotations.NullMarked;
