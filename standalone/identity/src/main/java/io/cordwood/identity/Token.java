package io.cordwood.identity;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The claims of a token. Immutable.
 *
 * @param id its own id ({@code jti}), by which it is revoked
 * @param user the user that it stands for ({@code sub})
 * @param audience what it is for ({@code aud})
 * @param issued when it was issued, in whole seconds
 * @param expires when it ends, in whole seconds
 * @param scope the only tenant and role that it is good for; absent: all that the user may do
 * @param service the role of the service that it was issued to
 * @param parent id of the token that it was exchanged for, with which it is revoked
 */
public record Token(
        String id,
        String user,
        Audience audience,
        Instant issued,
        Instant expires,
        Optional<Scope> scope,
        Optional<ServiceRole> service,
        Optional<String> parent) {
    /** The longest life of a token. */
    public static final Duration MAX_LIFE = Duration.ofDays(365);

    /**
     * A limit to one tenant.
     *
     * @param tenant the tenant's id
     * @param role the role in it
     * @param streams the only streams; empty for all
     */
    public record Scope(String tenant, TenantRole role, Set<String> streams) {
        public Scope {
            requireNonNull(tenant, "tenant is null");
            requireNonNull(role, "role is null");
            streams = Set.copyOf(streams);
        }
    }

    public Token {
        requireNonNull(id, "id is null");
        requireNonNull(user, "user is null");
        requireNonNull(audience, "audience is null");
        requireNonNull(issued, "issued is null");
        requireNonNull(expires, "expires is null");
        requireNonNull(scope, "scope is null");
        requireNonNull(service, "service is null");
        requireNonNull(parent, "parent is null");
    }

    /** Whether it has ended at this time. */
    public boolean isExpired(Instant time) {
        return !time.isBefore(expires);
    }

    /** Whether it lets its bearer ship rows of this tenant in records of this stream. */
    public boolean ships(String tenant, String stream) {
        if (audience != Audience.RECORDS) {
            return false;
        }
        if (service.equals(Optional.of(ServiceRole.GATEWAY))) {
            return true;
        }
        return scope.isPresent()
                && scope.get().role() == TenantRole.WRITER
                && scope.get().tenant().equals(tenant)
                && (scope.get().streams().isEmpty() || scope.get().streams().contains(stream));
    }
}
