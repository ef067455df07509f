/** Tests of the tokens, tickets and origins of browsers that need no database. */
@NullMarked
package dev.millrace.service.browsers;

import org.jspecify.annotations.NullMarked;
