/**
 * What must happen although nobody asks: lost leases, deadlines, due jobs, what deleted jobs left
 * behind, edited catalogue files and rules, and months of history that come and go. Several nodes
 * doing them at once do no harm.
 */
@NullMarked
package dev.millrace.service.duties;

import org.jspecify.annotations.NullMarked;
