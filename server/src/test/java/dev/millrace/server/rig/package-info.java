/**
 * One way to test a whole server, for the tests of the API and of the console alike.
 *
 * <p>{@link dev.millrace.server.rig.ServerRig} is a server on a database of its own. It makes keys,
 * and hands out a {@link dev.millrace.server.rig.Client} of the API, whose every answer is held
 * against the OpenAPI file, and the {@link dev.millrace.server.rig.Console}, in which one signs in.
 * {@link dev.millrace.server.rig.FleetRig}, {@link dev.millrace.server.rig.OutsideRig} and {@link
 * dev.millrace.server.rig.ConsoleRig} start the same server with what their stories need.
 */
@NullMarked
package dev.millrace.server.rig;

import org.jspecify.annotations.NullMarked;
