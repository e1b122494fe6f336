package io.cordwood.record.token;

import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.cordwood.identity.InvalidTokenException;
import io.cordwood.identity.PublicKeys;
import io.cordwood.identity.Token;
import io.cordwood.identity.TokenRules;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.UndecodableRecordException.Reason;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Checks that records may name their tenants. Thread-safe.
 *
 * <p>To verify a signature takes a thousand times as long as to decode a small record, so verified tokens are kept.
 * Forged tokens are kept elsewhere and in small numbers, so that they cannot displace those of other tenants.
 */
public final class TokenCheck {
    /** Bytes of the longest token; those that the catalog issues have a few hundred. */
    static final int MAX_TOKEN_BYTES = 4096;

    private static final long KEPT_BYTES = 32 << 20;
    /** Memory of a kept token besides its bytes, with its claims. */
    private static final int ENTRY_BYTES = 600;

    private static final int RECENT = 4096;
    private static final int KEPT_REFUSALS = 1024;
    private static final long LEAD_MICROS = TokenRules.REVOCATION_LEAD.toNanos() / 1000;

    private final TokenRulesSource rules;
    private final Cache<TokenBytes, Verified> verified;
    /** The verified tokens of late, by their hash: a faster way to most of them. */
    private final AtomicReferenceArray<Verified> recent = new AtomicReferenceArray<>(RECENT);

    private volatile PublicKeys lastKeys;

    private final AtomicReferenceArray<Refused> refused = new AtomicReferenceArray<>(KEPT_REFUSALS);

    /**
     * A token that the lake has issued.
     *
     * @param keys the keys that verified it
     * @param goodUntil when it ends, for times below {@code known}
     * @param known the time from which on newer rules are needed
     */
    private record Verified(TokenBytes bytes, Token token, PublicKeys keys, long goodUntil, long known) {}

    /**
     * A token that the lake has not issued.
     *
     * @param known the time from which on newer rules are needed
     */
    private record Refused(TokenBytes token, String why, long known) {}

    public TokenCheck(TokenRulesSource rules) {
        this(rules, KEPT_BYTES);
    }

    TokenCheck(TokenRulesSource rules, long keptBytes) {
        this.rules = requireNonNull(rules, "rules is null");
        this.verified = Caffeine.newBuilder()
                .maximumWeight(keptBytes)
                .weigher((TokenBytes token, Verified any) -> ENTRY_BYTES + token.length())
                .executor(Runnable::run)
                .build();
    }

    /** The number of verified tokens that are kept, about. */
    long kept() {
        verified.cleanUp();
        return verified.estimatedSize();
    }

    /**
     * Checks that a record may name its tenant. May wait for rules that cover the record's append time.
     *
     * @param tenantId the tenant that it names
     * @param stream the record's stream
     * @throws UndecodableRecordException FORBIDDEN_TENANT if it may not
     */
    public void requireRight(String tenantId, String stream, KafkaRecord record) throws UndecodableRecordException {
        byte[] bytes = record.token();
        if (bytes.length == 0) {
            throw forbidden("The record has no header %s".formatted(KafkaRecord.TOKEN_HEADER));
        }
        if (bytes.length > MAX_TOKEN_BYTES) {
            throw forbidden("The header %s has %d bytes; at most %d are allowed"
                    .formatted(KafkaRecord.TOKEN_HEADER, bytes.length, MAX_TOKEN_BYTES));
        }
        Verified found = recent.get(TokenBytes.hash(bytes) & (RECENT - 1));
        if (found == null
                || record.appendTimeMicros() >= found.known()
                || !found.bytes().are(bytes)) {
            found = find(new TokenBytes(bytes), record.appendTimeMicros());
        }
        Token token = found.token();
        if (record.appendTimeMicros() >= found.goodUntil()) {
            throw forbidden("Token %s had expired or was revoked when Kafka received the record".formatted(token.id()));
        }
        if (!token.ships(tenantId, stream)) {
            throw forbidden("Token %s of user '%s' is not for records of this tenant and stream"
                    .formatted(token.id(), token.user()));
        }
    }

    /** The token, with rules that cover this time. */
    private Verified find(TokenBytes bytes, long timeMicros) throws UndecodableRecordException {
        Verified known = verified.getIfPresent(bytes);
        if (known == null || timeMicros >= known.known()) {
            known = known == null
                    ? entry(bytes, verify(bytes, timeMicros), rules.completeAt(timeMicros))
                    : renewed(known, timeMicros);
            verified.put(bytes, known);
        }
        recent.set(bytes.hashCode() & (RECENT - 1), known);
        return known;
    }

    /** What was verified with a key that is gone or has ended since is not good any more. */
    private Verified renewed(Verified known, long timeMicros) throws UndecodableRecordException {
        TokenRules current = rules.completeAt(timeMicros);
        Token token = known.keys().equals(current.keys()) ? known.token() : verify(known.bytes(), timeMicros);
        return entry(known.bytes(), token, current);
    }

    private Verified entry(TokenBytes bytes, Token token, TokenRules current) {
        return new Verified(
                bytes,
                token,
                shared(current.keys()),
                micros(current.goodUntil(token)),
                micros(current.completeUntil()));
    }

    /** The same object for equal keys: newer rules have new ones, and each kept token refers to its own. */
    private PublicKeys shared(PublicKeys current) {
        PublicKeys last = lastKeys;
        if (current.equals(last)) {
            return last;
        }
        lastKeys = current;
        return current;
    }

    private Token verify(TokenBytes bytes, long timeMicros) throws UndecodableRecordException {
        int slot = bytes.hashCode() & (KEPT_REFUSALS - 1);
        Refused known = refused.get(slot);
        if (known != null && timeMicros < known.known() && known.token().equals(bytes)) {
            throw forbidden(known.why());
        }
        String compact = bytes.text();
        TokenRules rulesForKey = rulesForKey(compact, timeMicros);
        try {
            return verify(compact, rulesForKey);
        } catch (InvalidTokenException e) {
            refused.set(slot, new Refused(bytes, e.getMessage(), knownUntil(compact, rulesForKey)));
            throw forbidden(e.getMessage());
        }
    }

    private static Token verify(String compact, TokenRules rules) throws InvalidTokenException {
        try {
            return rules.verifyOfRecord(compact);
        } catch (RuntimeException e) {
            // Whatever bytes a producer sends must cost one record, not the whole pipeline.
            throw new InvalidTokenException("The token cannot be read");
        }
    }

    /**
     * Rules with the key that a token names, or else rules made after the record was appended. The token was signed
     * before that, so only then is the key surely none of the lake's.
     */
    private TokenRules rulesForKey(String compact, long timeMicros) {
        TokenRules current = rules.completeAt(timeMicros);
        return namesUnknownKey(compact, current) ? rules.completeAt(timeMicros + LEAD_MICROS) : current;
    }

    private static boolean namesUnknownKey(String compact, TokenRules rules) {
        try {
            return PublicKeys.keyId(compact)
                    .filter(keyId -> !rules.keys().knows(keyId))
                    .isPresent();
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** A signature that is wrong stays so; a key that is unknown may be in newer rules. */
    private static long knownUntil(String compact, TokenRules rules) {
        return namesUnknownKey(compact, rules) ? micros(rules.completeUntil()) - LEAD_MICROS : Long.MAX_VALUE;
    }

    private static UndecodableRecordException forbidden(String why) {
        return new UndecodableRecordException(Reason.FORBIDDEN_TENANT, why);
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }
}
