/** Pages for people who keep it running: fleet, webhooks, providers, money, keys. */
@NullMarked
package dev.millrace.web.console.admin;

import org.jspecify.annotations.NullMarked;
