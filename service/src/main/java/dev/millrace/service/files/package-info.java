/**
 * Files between users, jobs and workers: how a file that a user brings becomes one that a job may
 * use, what a worker is given for a job, and what it must have brought before anything is paid for.
 *
 * <p>A file belongs to one user. {@link dev.millrace.service.files.FileUploads} takes it in: a row
 * in state {@code pending}, a signed URL to put the bytes to, and a confirmation that looks at what
 * really arrived. {@link dev.millrace.service.files.OwnFiles} is the gate: an input may name only
 * files that its user has, of a type and size that the property takes. {@link
 * dev.millrace.service.files.JobAssets} lists what a worker must fetch for a lease, and {@link
 * dev.millrace.service.files.UploadedOutputs} looks at what it brought back.
 *
 * <p>Bytes are never trusted for what their sender says of them: existence, size, checksum and the
 * first bytes are looked at in the store itself. Routes, gates and duties may call this package; it
 * knows nothing of HTTP servers or of who is signed in.
 */
@NullMarked
package dev.millrace.service.files;

import org.jspecify.annotations.NullMarked;
