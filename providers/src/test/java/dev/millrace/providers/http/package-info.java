/** The provider that a file describes, against a double of the service in that file. */
@NullMarked
package dev.millrace.providers.http;

import org.jspecify.annotations.NullMarked;
