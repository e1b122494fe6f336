package io.cordwood.ingest.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cordwood.identity.Audience;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import io.cordwood.identity.TokenRules;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Issues tokens of writers and revokes them, as a catalog does. Thread-safe. */
public final class TokenIssuer {
    private final SigningKeys keys = SigningKeys.create();
    private final Map<String, Instant> revoked = new ConcurrentHashMap<>();
    private final AtomicInteger issued = new AtomicInteger();
    private final Instant start;

    /** @param start when its tokens are issued */
    public TokenIssuer(Instant start) {
        this.start = start;
    }

    /** A token that lets its bearer ship records of a tenant. */
    public byte[] writer(String tenant, Instant expires) {
        return keys.sign(new Token(
                        "token-" + issued.incrementAndGet(),
                        "anna",
                        Audience.RECORDS,
                        start,
                        expires,
                        Optional.of(new Token.Scope(tenant, TenantRole.WRITER, Set.of())),
                        Optional.empty(),
                        Optional.empty()))
                .getBytes(US_ASCII);
    }

    /** Revokes the token that was issued last. */
    public void revokeLast(Instant from) {
        revoked.put("token-" + issued.get(), from);
    }

    /** Rules made as early as they can be: they lack all revocations that they need not have. */
    public TokenRules rules(Instant completeUntil) {
        Map<String, Instant> known = new HashMap<>(revoked);
        known.values().removeIf(from -> !from.isBefore(completeUntil));
        return new TokenRules(keys.publicKeys(), known, completeUntil);
    }
}
