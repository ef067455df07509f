/**
 * Payments into wallets, corrections of them and limits of users, each with its line in the audit.
 *
 * <p>Credits of jobs move in the engine only. Knows no HTTP; called by the API and the console.
 */
@NullMarked
package dev.millrace.service.money;

import org.jspecify.annotations.NullMarked;
