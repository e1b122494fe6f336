/** Kills of a closed stack while tokens are revoked and renewed: a record's append time decides about it. */
package io.cordwood.systemtests.token;
