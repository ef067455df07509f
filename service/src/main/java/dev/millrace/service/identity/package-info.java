/**
 * People and programs that an identity provider vouches for: JWTs that the API takes as bearers,
 * and signing in to the console by OpenID Connect.
 *
 * <p>A claim is believed only once the signature was checked with a key of a configured issuer, and
 * the issuer, the audience and the times are right. What a claim gives, the operator has written
 * down; whoever is given nothing isn't let in. No token is stored or logged. An issuer is asked
 * with limits on time and size, its keys are remembered, and strangers' tokens can't make us ask it
 * more than now and then.
 *
 * <p>Nimbus does the cryptography, and nobody outside this package knows it. Called by the
 * authentication of the API and by the console.
 */
@NullMarked
package dev.millrace.service.identity;

import org.jspecify.annotations.NullMarked;
