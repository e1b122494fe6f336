/**
 * Who may do what: signed tokens, their verification, and the certificates of services.
 *
 * <p>The catalog service issues tokens with {@link io.cordwood.identity.SigningKeys}. Every door verifies them with
 * {@link io.cordwood.identity.TokenRules}, the same way.
 */
package io.cordwood.identity;
