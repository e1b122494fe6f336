package io.cordwood.record.token;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.identity.Audience;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import io.cordwood.identity.TokenRules;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Issues and revokes tokens as a catalog does, at times that a test sets. Not thread-safe. */
final class Issuer implements TokenRulesSource {
    static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

    private final Map<String, Instant> revoked = new HashMap<>();
    private SigningKeys keys = SigningKeys.create();
    private TokenRules rules;
    private Instant now = START;
    private int issued;
    private int asked;

    Issuer() {
        poll();
    }

    static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    /** Sets the clock of the catalog. */
    void at(Instant time) {
        now = time;
    }

    /** Makes the rules that {@link #completeAt} starts with. */
    void poll() {
        // As they come from the catalog: with keys that are new objects each time
        rules = TokenRules.parse(
                new TokenRules(keys.publicKeys(), revoked, now.plus(TokenRules.REVOCATION_LEAD)).toJson());
    }

    void rotateKeys() {
        keys = keys.withNext().rotated(now);
    }

    /** Makes other keys, as an operator does whose keys were stolen. */
    void replaceKeys() {
        keys = SigningKeys.create();
    }

    String id() {
        return "token-" + issued;
    }

    byte[] writer(String tenant, Instant expires, String... streams) {
        return scoped(tenant, TenantRole.WRITER, expires, streams);
    }

    byte[] scoped(String tenant, TenantRole role, Instant expires, String... streams) {
        return sign(expires, Optional.of(new Token.Scope(tenant, role, Set.of(streams))), Optional.empty());
    }

    /** A writer's token for requests. */
    byte[] ofRequests(String tenant) {
        Token.Scope scope = new Token.Scope(tenant, TenantRole.WRITER, Set.of());
        Instant end = START.plus(Duration.ofDays(365));
        return sign(Audience.REQUESTS, end, Optional.of(scope), Optional.empty());
    }

    byte[] service(ServiceRole role) {
        return sign(START.plus(Duration.ofDays(365)), Optional.empty(), Optional.of(role));
    }

    private byte[] sign(Instant expires, Optional<Token.Scope> scope, Optional<ServiceRole> service) {
        return sign(Audience.RECORDS, expires, scope, service);
    }

    private byte[] sign(
            Audience audience, Instant expires, Optional<Token.Scope> scope, Optional<ServiceRole> service) {
        issued++;
        return keys.sign(new Token(id(), "anna", audience, START, expires, scope, service, Optional.empty()))
                .getBytes(US_ASCII);
    }

    /** Orders a revocation, and returns when it begins. */
    Instant revoke(String id) {
        Instant from = now.plus(TokenRules.REVOCATION_LEAD);
        revoked.put(id, from);
        return from;
    }

    int asked() {
        return asked;
    }

    /** Rules as old as possible: where they do not cover the time, the ones of the present, later if need be. */
    @Override
    public TokenRules completeAt(long timeMicros) {
        asked++;
        if (timeMicros >= micros(rules.completeUntil())) {
            poll();
        }
        if (timeMicros >= micros(rules.completeUntil())) {
            now = Instant.EPOCH.plus(timeMicros + 1, ChronoUnit.MICROS).minus(TokenRules.REVOCATION_LEAD);
            poll();
        }
        return rules;
    }
}
