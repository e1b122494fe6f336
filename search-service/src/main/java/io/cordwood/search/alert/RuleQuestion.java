package io.cordwood.search.alert;

import io.cordwood.catalog.alert.AlertRule;
import io.cordwood.catalog.alert.AlertStatus;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.query.search.TableScan;
import io.cordwood.search.api.TableAccess;
import io.cordwood.search.api.WindowRows;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.Client;
import io.cordwood.search.http.Turns;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Asks the question of a rule, with the bounds of any question and in turn with the users' questions. Thread-safe. */
final class RuleQuestion {
    /** All rules together are one user among others. A user's name has no control characters. */
    private static final String USER = "\u0000alert rules";

    /**
     * A tenant's rules are a tenant of their own, so that users' questions about the tenant do not keep them waiting.
     * Longer than a tenant's id can be.
     */
    private static final String TENANT = "\u0000".repeat(TenantNames.MAX_ID_BYTES);

    private static final int TOO_MANY = 429;
    private static final int MAX_SAMPLE = 500;

    private final TableAccess access;
    private final Duration delay;

    RuleQuestion(TableAccess access, Duration delay) {
        this.access = access;
        this.delay = delay;
    }

    /**
     * The status of an alert after the evaluation of a time.
     *
     * @throws ApiException if the query is malformed, there is no such stream, or the tenant asks too much
     */
    AlertStatus evaluate(AlertRule rule, AlertStatus before, Instant at) throws InterruptedException {
        Instant to = at.minus(delay);
        WindowRows window = new WindowRows(rule.query(), to.minus(rule.window()), to, at);
        try (Turns.Turn _ = enter(rule)) {
            Optional<TableScan> table = open(rule);
            long value = table.map(window::count).orElse(0L);
            boolean isShown = rule.samples() > 0 && AlertStates.beginsToFire(rule, before, at, value);
            List<String> samples = table.filter(any -> isShown)
                    .map(scan -> window.newest(scan, rule.samples()))
                    .orElse(List.of());
            return AlertStates.next(
                    rule,
                    before,
                    at,
                    value,
                    samples.stream().map(RuleQuestion::cut).toList());
        }
    }

    private Turns.Turn enter(AlertRule rule) throws InterruptedException {
        try {
            return access.enter(USER, TENANT + rule.tenantId(), access.memory().window(), Client.NONE);
        } catch (ApiException e) {
            // Its message has those names
            throw e.status() == TOO_MANY
                    ? new ApiException(TOO_MANY, e.code(), "The rule waited too long for its turn among all questions")
                    : e;
        }
    }

    /** The table; empty if the tenant has no rows in this stream yet. */
    private Optional<TableScan> open(AlertRule rule) {
        if (!access.catalog().streams().contains(rule.stream())) {
            throw new ApiException(404, "not_found", "There is no stream '%s'".formatted(rule.stream()));
        }
        return access.find(rule.tenantId(), rule.stream(), Client.NONE);
    }

    private static String cut(String row) {
        if (row.length() <= MAX_SAMPLE) {
            return row;
        }
        int end = Character.isHighSurrogate(row.charAt(MAX_SAMPLE - 1)) ? MAX_SAMPLE - 1 : MAX_SAMPLE;
        return row.substring(0, end) + "...";
    }
}
