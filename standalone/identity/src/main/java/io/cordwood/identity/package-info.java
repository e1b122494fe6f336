/**
 * Who may do what: signed tokens, their verification, and the certificates of services.
 *
 * <p>The catalog service issues tokens with {@link io.cordwood.identity.SigningKeys}, and knows from its database which
 * are revoked. Trino and the decoders of records verify them with {@link io.cordwood.identity.TokenRules}; the balancer
 * asks the catalog.
 */
package io.cordwood.identity;
