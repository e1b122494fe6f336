/** Kills of a closed stack while tokens are revoked and renewed: each record must get the verdict of its append time. */
package io.cordwood.systemtests.token;
