/** Tests of what an identity provider is believed, against small issuers with keys of their own. */
@NullMarked
package dev.millrace.service.identity;

import org.jspecify.annotations.NullMarked;
