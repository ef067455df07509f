/**
 * Takes out of media files what tells how they were made. ComfyUI writes the whole graph, with the
 * prompt and the names of models, into what it saves; that is the operator's and not for whoever
 * gets the file.
 *
 * <p>Nothing is decoded or encoded: pieces of the container are left out or blanked, and what is
 * shown or heard stays the same to the bit. A file that isn't what it begins as stays as it is;
 * whether a graph is still in it can be asked.
 */
@NullMarked
package dev.millrace.worker.media;

import org.jspecify.annotations.NullMarked;
