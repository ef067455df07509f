/** A provider for the Millrace server in its own jar: it stamps a text with the operator's key. */
package org.example.stamp;
