package io.cordwood.systemtests.check;

import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Findings.Kind;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.Ledger.Expected;
import io.cordwood.systemtests.ledger.Ledger.Lane;
import io.cordwood.systemtests.ledger.RowDeletion;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Checks the answer of a query that begins when this is created. The rows of each tenant and partition must be a
 * prefix. It must include all rows that were acknowledged by then, and none whose deletion was complete by then. For
 * one thread.
 */
final class PrefixCheck {
    private static final long ALL = Long.MAX_VALUE;

    private final Ledger ledger;
    private final Findings findings;
    private final Map<Lane, Long> acknowledged;
    private final Set<RowDeletion> gone;

    /** The rows of a lane in an answer. */
    record Seen(long count, long distinct, long sum, long maxOffset) {
        static final Seen NOTHING = new Seen(0, 0, 0, -1);
    }

    /** @param tenants the ranks of the queried tenants */
    PrefixCheck(Ledger ledger, Findings findings, IntPredicate tenants) {
        this.ledger = ledger;
        this.findings = findings;
        gone = ledger.deletionsDone();
        acknowledged = new HashMap<>(ledger.acknowledgedByLane());
        acknowledged.keySet().removeIf(lane -> !tenants.test(lane.tenant()));
    }

    /** Whether no row has to be visible. */
    boolean isEmpty() {
        return acknowledged.isEmpty();
    }

    /** Number of rows that had been acknowledged. */
    long acknowledged() {
        return acknowledged.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Records whether an answer has a row. */
    @FunctionalInterface
    interface Answer {
        boolean has(int producer, int number);
    }

    /** A deletion either was complete when the query began or was not: all of its rows are there, or none. */
    void compareDeletions(int tenant, Answer answer, String source) {
        for (RowDeletion deletion : ledger.deletionsBegun(tenant)) {
            long rows = 0;
            long seen = 0;
            for (Map.Entry<Lane, Long> lane : acknowledged.entrySet()) {
                for (int number : ledger.numbersOf(deletion, lane.getKey(), lane.getValue())) {
                    rows++;
                    seen += answer.has(deletion.producer(), number) ? 1 : 0;
                }
            }
            if (gone.contains(deletion) && seen > 0) {
                findings.add(
                        Kind.UNEXPECTED, "through %s: %d rows of the completed %s".formatted(source, seen, deletion));
            } else if (seen > 0 && seen < rows) {
                findings.add(
                        Kind.WRONG,
                        "through %s: %d of the %d rows that %s deletes".formatted(source, seen, rows, deletion));
            }
        }
    }

    /** @param source the query, for a finding's text */
    void compare(Map<Lane, Seen> answer, String source) {
        acknowledged.forEach((lane, rows) -> {
            long certain = ledger.expected(lane, rows, ALL, gone).certain();
            long count = answer.getOrDefault(lane, Seen.NOTHING).count();
            if (count < certain) {
                findings.add(
                        Kind.LOST,
                        "%s through %s: %d rows, %d were acknowledged before the query began"
                                .formatted(lane, source, count, certain));
            }
        });
        answer.forEach((lane, seen) -> compare(lane, seen, source));
    }

    private void compare(Lane lane, Seen seen, String source) {
        // In this order, so that the second one includes rows that are acknowledged between the two.
        long unknown = ledger.unknown(lane.tenant());
        Expected expected = ledger.expected(lane, ALL, seen.maxOffset(), gone);
        String text = "%s through %s: %s, up to there %s".formatted(lane, source, seen, expected);
        if (seen.count() < expected.certain()) {
            findings.add(Kind.NOT_A_PREFIX, text);
        } else if (seen.count() != seen.distinct()
                || seen.count() > expected.certain() + expected.possible() + unknown) {
            findings.add(Kind.DOUBLE, text);
        } else if (seen.count() == expected.certain() && expected.possible() == 0 && seen.sum() != expected.sum()) {
            findings.add(Kind.WRONG, text);
        }
    }
}
