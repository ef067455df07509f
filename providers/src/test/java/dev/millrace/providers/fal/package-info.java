/** The provider for fal against a double of its queue that signs with keys of its own. */
@NullMarked
package dev.millrace.providers.fal;

import org.jspecify.annotations.NullMarked;
