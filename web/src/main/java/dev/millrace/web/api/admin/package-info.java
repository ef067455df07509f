/** Routes of those who administer: keys, wallets, limits, pauses, providers, audit. */
@NullMarked
package dev.millrace.web.api.admin;

import org.jspecify.annotations.NullMarked;
