package io.cordwood.systemtests.token;

import io.cordwood.identity.InvalidTokenException;
import io.cordwood.identity.TokenRules;
import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Findings.Kind;
import io.cordwood.systemtests.token.ShippedLog.Shipped;
import io.cordwood.systemtests.token.ShipperTokens.Given;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Which records have to be accepted: those whose token was given for their tenant, and whose append time is before the
 * end of that token. The times of revocations come from the catalog, everything else from what shippers were given.
 * Immutable.
 */
final class Verdicts {
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

    /** Adds a finding for each revocation that the rules lack, or that begins before all readers of them know of it. */
    void checkOrders(Map<String, Instant> ordered, Findings findings) {
        given.forEach((token, known) -> {
            Instant order = ordered.get(known.id());
            if (order == null) {
                return;
            }
            Instant end = goodUntil.get(token);
            Instant earliest = order.plus(TokenRules.REVOCATION_LEAD);
            if (end.isBefore(known.expires()) ? end.isBefore(earliest) : end.isAfter(Instant.now())) {
                findings.add(
                        Kind.WRONG,
                        "token %s was revoked at %s, and is good until %s".formatted(known.id(), order, end));
            }
        });
    }
}
