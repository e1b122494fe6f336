package io.cordwood.systemtests.token;

import io.cordwood.benchmarks.stack.RunningStack;
import io.cordwood.systemtests.check.AskingThread;
import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Findings.Kind;
import io.cordwood.systemtests.ledger.Ledger.Lane;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.token.ShippedLog.Shipped;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * Asks for the rows of all tenants, hot and cold, while records are shipped, and keeps what the answers had. At the end
 * {@link #compare} says whether each answer was right when it was given: of each tenant and partition, the accepted
 * records up to some offset, those acknowledged before the query among them, and nothing else.
 */
final class Answers extends AskingThread {
    private static final long REST_MILLIS = 500;
    private static final long INTERVAL_MILLIS = 2_000;

    private final RunningStack stack;
    private final String stream;
    private final Findings findings;
    private final Supplier<Map<Lane, Long>> acknowledged;
    private final ConcurrentLinkedQueue<Answer> answers = new ConcurrentLinkedQueue<>();

    /** @param acknowledged gives the highest acknowledged offset of each lane */
    Answers(RunningStack stack, String stream, Findings findings, Supplier<Map<Lane, Long>> acknowledged) {
        super(findings, REST_MILLIS);
        this.stack = stack;
        this.stream = stream;
        this.findings = findings;
        this.acknowledged = acknowledged;
    }

    /** The offsets of a lane in an answer. */
    private record Seen(long count, long distinct, long sum, long last) {
        static final Seen NOTHING = new Seen(0, 0, 0, -1);
    }

    /** @param acknowledged the highest acknowledged offset of each lane before the query */
    private record Answer(int query, Map<Lane, Long> acknowledged, Map<Lane, Seen> seen) {}

    @Override
    protected boolean check(int query) throws SQLException, IOException, InterruptedException {
        Map<Lane, Long> before = acknowledged.get();
        Map<Lane, Seen> seen = new HashMap<>();
        try (Connection connection = stack.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("""
                        SELECT tenant_id, partition, count(*), count(DISTINCT kafka_offset), sum(kafka_offset),
                               max(kafka_offset)
                        FROM (SELECT tenant_id, "$kafka_partition" AS partition, "$kafka_offset" AS kafka_offset
                              FROM cordwood.all_tenants.%s)
                        GROUP BY 1, 2""".formatted(stream))) {
            while (result.next()) {
                seen.put(
                        new Lane(NumberedRow.rank(result.getString(1)), 0, result.getInt(2)),
                        new Seen(result.getLong(3), result.getLong(4), result.getLong(5), result.getLong(6)));
            }
        }
        answers.add(new Answer(query, before, seen));
        Thread.sleep(INTERVAL_MILLIS);
        return true;
    }

    /** Adds a finding for each answer that was not right. */
    void compare(ShippedLog log, Verdicts verdicts) {
        Map<Lane, long[]> accepted = accepted(log, verdicts);
        for (Answer answer : answers) {
            answer.seen()
                    .forEach((lane, seen) -> compare(answer, lane, seen, accepted.getOrDefault(lane, new long[0])));
            answer.acknowledged().forEach((lane, offset) -> {
                Seen seen = answer.seen().getOrDefault(lane, Seen.NOTHING);
                if (upTo(accepted.getOrDefault(lane, new long[0]), offset) > seen.count()) {
                    findings.add(
                            Kind.LOST,
                            "query %d, %s: %s, and offset %d was acknowledged before"
                                    .formatted(answer.query(), lane, seen, offset));
                }
            });
        }
    }

    private void compare(Answer answer, Lane lane, Seen seen, long[] accepted) {
        int expected = upTo(accepted, seen.last());
        String text = "query %d, %s: %s, and up to there %d records are accepted"
                .formatted(answer.query(), lane, seen, expected);
        if (seen.count() != seen.distinct()) {
            findings.add(Kind.DOUBLE, text);
        } else if (seen.count() > expected) {
            findings.add(Kind.UNEXPECTED, text);
        } else if (seen.count() < expected) {
            findings.add(Kind.NOT_A_PREFIX, text);
        } else if (Arrays.stream(accepted, 0, expected).sum() != seen.sum()) {
            findings.add(Kind.WRONG, text + ", but others");
        }
    }

    /** The offsets of accepted records of each lane, in their order. */
    private static Map<Lane, long[]> accepted(ShippedLog log, Verdicts verdicts) {
        Map<Lane, long[]> offsets = new HashMap<>();
        for (List<Shipped> partition : log.partitions()) {
            Map<Lane, List<Shipped>> lanes = new HashMap<>();
            for (Shipped record : partition) {
                if (verdicts.isAccepted(record)) {
                    lanes.computeIfAbsent(new Lane(record.tenant(), 0, record.partition()), any -> new ArrayList<>())
                            .add(record);
                }
            }
            lanes.forEach((lane, records) -> offsets.put(
                    lane, records.stream().mapToLong(Shipped::offset).toArray()));
        }
        return offsets;
    }

    /** Number of offsets that are at most this one. */
    private static int upTo(long[] sorted, long offset) {
        int index = Arrays.binarySearch(sorted, offset);
        return index >= 0 ? index + 1 : -index - 1;
    }
}
