/** An executor for the Millrace worker, as small as one can be: it turns a text around. */
package org.example.reverse;
