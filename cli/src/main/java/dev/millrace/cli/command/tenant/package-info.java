/** Commands about tenants and their users, for operators, and for a tenant's own admins. */
@NullMarked
package dev.millrace.cli.command.tenant;

import org.jspecify.annotations.NullMarked;
