package io.cordwood.catalog.protocol;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * A change of users, grants, tokens or tenants, or refused requests of one user in one minute. Immutable.
 *
 * @param at when, by the service's clock
 * @param actor the user who did it; empty if the request had no valid token
 * @param action what was done, for instance {@code token-revoked} or {@code refused}
 * @param subject the user, token, tenant or route that it was done to
 * @param detail more about it
 * @param count how many requests the entry stands for
 */
public record AuditEntry(Instant at, String actor, String action, String subject, String detail, long count) {
    public AuditEntry {
        requireNonNull(at, "at is null");
        requireNonNull(actor, "actor is null");
        requireNonNull(action, "action is null");
        requireNonNull(subject, "subject is null");
        requireNonNull(detail, "detail is null");
    }
}
