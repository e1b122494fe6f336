package io.cordwood.systemtests.check;

import io.cordwood.systemtests.check.PrefixCheck.Seen;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.Ledger.Lane;
import io.cordwood.systemtests.ledger.NumberedRow;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Reads all rows of a large tenant with pauses, so that merges, deletions and kills happen during the query. The answer
 * must be the state at its beginning, or an error.
 */
public final class SlowReader extends AskingThread {
    /** The tenants with enough rows for it. */
    private static final int TENANTS = 3;

    private static final int PAUSES = 50;
    private static final long REST_MILLIS = 500;

    private final Lab lab;
    private final Ledger ledger;
    private final Findings findings;
    private final Duration duration;

    /** @param duration approximate duration of a slowed query */
    public SlowReader(Lab lab, Ledger ledger, Findings findings, Duration duration) {
        super(findings, REST_MILLIS);
        this.lab = lab;
        this.ledger = ledger;
        this.findings = findings;
        this.duration = duration;
    }

    @Override
    protected boolean check(int query) throws SQLException, InterruptedException {
        int tenant = query % TENANTS;
        PrefixCheck check = new PrefixCheck(ledger, findings, rank -> rank == tenant);
        if (check.acknowledged() < PAUSES) {
            return false;
        }
        Rows rows = new Rows(tenant);
        String schema = NumberedRow.tenantId(tenant);
        long rowsBetweenPauses = check.acknowledged() / PAUSES;
        try (Connection connection = lab.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("""
                        SELECT "$kafka_partition", "$kafka_offset", producer, n, ts, level, latency, ratio, message
                        FROM cordwood.%s.%s""".formatted(schema, Lab.STREAM))) {
            for (long row = 1; result.next(); row++) {
                rows.add(result.getInt(1), result.getLong(2), result.getInt(3), result.getInt(4));
                // There may be more rows than were acknowledged when it began
                if (row % rowsBetweenPauses == 0 && row / rowsBetweenPauses <= PAUSES && !isStopped()) {
                    Thread.sleep(duration.dividedBy(PAUSES));
                }
            }
        }
        check.compare(rows.byLane, schema + ", slowly");
        check.compareDeletions(tenant, rows::have, schema + ", slowly");
        return true;
    }

    /** The result of one query. */
    private final class Rows {
        private final int tenant;
        private final Map<Lane, Seen> byLane = new HashMap<>();
        private final Set<Long> distinct = new HashSet<>();

        Rows(int tenant) {
            this.tenant = tenant;
        }

        void add(int partition, long offset, int producer, int number) {
            boolean isNew = distinct.add(id(producer, number));
            byLane.merge(
                    new Lane(tenant, 0, partition),
                    new Seen(1, isNew ? 1 : 0, number, offset),
                    (one, other) -> new Seen(
                            one.count() + other.count(),
                            one.distinct() + other.distinct(),
                            one.sum() + other.sum(),
                            Math.max(one.maxOffset(), other.maxOffset())));
        }

        boolean have(int producer, int number) {
            return distinct.contains(id(producer, number));
        }

        private long id(int producer, int number) {
            return (long) number * ledger.producers() + producer;
        }
    }
}
