package io.cordwood.identity;

import static java.util.Objects.requireNonNull;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What decides whether a token is good: the lake's public keys and the revoked tokens. Immutable and thread-safe.
 *
 * <p>A revocation begins a little after it was ordered, so that whoever reads these rules at intervals knows of it
 * before it begins. So the rules are complete up to a time, {@link #completeUntil}: nothing that is revoked later can
 * begin before it. Whether a token was good at a time before that never changes, for every reader of the rules.
 */
public final class TokenRules {
    /** From the order to revoke a token until records with it are refused. */
    public static final Duration REVOCATION_LEAD = Duration.ofSeconds(10);

    /** Records of this age may be read again, with the tokens that they bear. */
    public static final Duration REPLAYED = Duration.ofDays(400);

    private static final String KEYS = "keys";
    private static final String REVOKED = "revoked";
    private static final String COMPLETE_UNTIL = "complete_until";

    private final PublicKeys keys;
    private final Map<String, Instant> revoked;
    private final Instant completeUntil;

    /**
     * Creates rules.
     *
     * @param revoked for each revoked token, by its id, when its revocation begins
     * @param completeUntil no revocation that is missing here begins before it
     */
    public TokenRules(PublicKeys keys, Map<String, Instant> revoked, Instant completeUntil) {
        this.keys = requireNonNull(keys, "keys is null");
        this.revoked = Map.copyOf(revoked);
        this.completeUntil = requireNonNull(completeUntil, "completeUntil is null");
    }

    /** No revocation that is missing here begins before this time. */
    public Instant completeUntil() {
        return completeUntil;
    }

    /**
     * Checks a token of a request that is made now, whose issuer was checked with {@link #keys()} before.
     *
     * @throws InvalidTokenException if it has expired, or its revocation is ordered
     */
    public void requireGood(Token token, Instant now) throws InvalidTokenException {
        if (token.isExpired(now)) {
            throw new InvalidTokenException("The token has expired");
        }
        if (revocation(token).isPresent()) {
            throw new InvalidTokenException("The token is revoked");
        }
    }

    /**
     * Checks who issued the token of a record, and returns its claims; see {@link #goodUntil} for the time.
     *
     * @throws InvalidTokenException as {@link PublicKeys#verify}
     */
    public Token verifyOfRecord(String compact) throws InvalidTokenException {
        return keys.verify(compact, Audience.RECORDS);
    }

    /** When the token ends, by expiry or revocation: for times that these rules are complete for. */
    public Instant goodUntil(Token token) {
        return revocation(token).filter(from -> from.isBefore(token.expires())).orElse(token.expires());
    }

    /** The keys that sign tokens. */
    public PublicKeys keys() {
        return keys;
    }

    private Optional<Instant> revocation(Token token) {
        return Optional.ofNullable(revoked.get(token.id()));
    }

    /** The rules as JSON: {@code {"keys": JWK set, "revoked": {id: microseconds}, "complete_until": microseconds}}. */
    public String toJson() {
        Map<String, Object> json = new HashMap<>();
        try {
            json.put(KEYS, JSONObjectUtils.parse(keys.toJson()));
        } catch (ParseException e) {
            throw new IllegalStateException("A JWK set is not JSON", e);
        }
        Map<String, Object> ids = new HashMap<>();
        revoked.forEach((id, from) -> ids.put(id, micros(from)));
        json.put(REVOKED, ids);
        json.put(COMPLETE_UNTIL, micros(completeUntil));
        return JSONObjectUtils.toJSONString(json);
    }

    /** Reads what {@link #toJson} wrote. @throws IllegalArgumentException if these are no rules */
    public static TokenRules parse(String json) {
        try {
            Map<String, Object> rules = JSONObjectUtils.parse(json);
            Map<String, Instant> revoked = new HashMap<>();
            Map<String, Object> ids = JSONObjectUtils.getJSONObject(rules, REVOKED);
            for (String id : ids.keySet()) {
                revoked.put(id, instant(JSONObjectUtils.getLong(ids, id)));
            }
            String keys = JSONObjectUtils.toJSONString(JSONObjectUtils.getJSONObject(rules, KEYS));
            return new TokenRules(
                    PublicKeys.parse(keys), revoked, instant(JSONObjectUtils.getLong(rules, COMPLETE_UNTIL)));
        } catch (ParseException | NullPointerException e) {
            throw new IllegalArgumentException("These are no rules of tokens: " + e.getMessage(), e);
        }
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
