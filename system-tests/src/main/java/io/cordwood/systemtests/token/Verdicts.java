package io.cordwood.systemtests.token;

import io.cordwood.identity.InvalidTokenException;
import io.cordwood.identity.TokenRules;
import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Findings.Kind;
import io.cordwood.systemtests.token.ShippedLog.Shipped;
import io.cordwood.systemtests.token.ShipperTokens.Given;
import io.cordwood.systemtests.token.ShipperTokens.Revocation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Which records have to be accepted: those whose token was given for their tenant, and whose append time is before the
 * end of that token. The times of revocations come from the catalog, everything else from what shippers were given.
 * Immutable.
 */
final class Verdicts {
    /** Times of revocations are rounded, and grow from one to the next. */
    private static final Duration SLACK = Duration.ofSeconds(5);

    private final Map<String, Given> given;
    private final Map<String, Instant> goodUntil = new HashMap<>();

    /** @param rules rules that are complete for all append times */
    Verdicts(Map<String, Given> given, TokenRules rules) {
        this.given = given;
        for (String token : given.keySet()) {
            try {
                goodUntil.put(token, rules.goodUntil(rules.verifyOfRecord(token)));
            } catch (InvalidTokenException e) {
                throw new IllegalStateException("The catalog does not know a token that it gave", e);
            }
        }
    }

    boolean isAccepted(Shipped record) {
        Given token = given.get(record.token());
        return token != null
                && token.tenant() == record.tenant()
                && Instant.ofEpochMilli(record.appendMillis()).isBefore(goodUntil.get(record.token()));
    }

    /**
     * Adds a finding for each revocation that the rules lack, that begins before all readers of them know of it, or
     * that begins later than that.
     */
    void checkRevocations(Map<String, Revocation> revocations, Findings findings) {
        given.forEach((token, known) -> {
            Revocation revocation = revocations.get(known.id());
            if (revocation == null) {
                return;
            }
            Instant end = goodUntil.get(token);
            Instant earliest = revocation.ordered().plus(TokenRules.REVOCATION_LEAD);
            Instant latest =
                    revocation.answered().plus(TokenRules.REVOCATION_LEAD).plus(SLACK);
            boolean endsByItself = end.equals(known.expires());
            if (end.isAfter(latest) || (end.isBefore(earliest) && !endsByItself)) {
                findings.add(
                        Kind.WRONG,
                        "token %s was revoked at %s, and is good until %s"
                                .formatted(known.id(), revocation.ordered(), end));
            }
        });
    }
}
