package io.cordwood.catalog.protocol;

import static java.util.Objects.requireNonNull;

import io.cordwood.identity.Audience;
import io.cordwood.identity.Token;
import java.time.Instant;
import java.util.Optional;

/**
 * What the registry tells of a token: all but the token itself. Immutable.
 *
 * @param id its id, by which it is revoked
 * @param user the user that it stands for
 * @param audience what it is for
 * @param scope the only tenant and role that it is good for
 * @param issued when it was issued
 * @param expires when it ends
 * @param parent id of the token that it was exchanged for
 * @param revoked from when on records with it are refused; requests are refused as soon as it is present
 */
public record RegisteredToken(
        String id,
        String user,
        Audience audience,
        Optional<Token.Scope> scope,
        Instant issued,
        Instant expires,
        Optional<String> parent,
        Optional<Instant> revoked) {
    public RegisteredToken {
        requireNonNull(id, "id is null");
        requireNonNull(user, "user is null");
        requireNonNull(audience, "audience is null");
        requireNonNull(scope, "scope is null");
        requireNonNull(issued, "issued is null");
        requireNonNull(expires, "expires is null");
        requireNonNull(parent, "parent is null");
        requireNonNull(revoked, "revoked is null");
    }
}
