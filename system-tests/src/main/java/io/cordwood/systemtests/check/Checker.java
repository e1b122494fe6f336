package io.cordwood.systemtests.check;

import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Findings.Kind;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.Ledger.Lane;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.ledger.Place;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares query results with acknowledged rows. Thread-safe.
 *
 * <p>A recreated topic has another id, which each row shows. The checker learns a new id before rows are sent to the
 * topic.
 */
public final class Checker {
    private static final int ORDERED_TENANTS = 20;

    private final Lab lab;
    private final NumberedRow.Maker rows;
    private final Ledger ledger;
    private final Findings findings;
    private final List<String> topicIds = new ArrayList<>();
    private long prefixesChecked;

    public Checker(Lab lab, NumberedRow.Maker rows, Ledger ledger, Findings findings, String topicId) {
        this.lab = lab;
        this.rows = rows;
        this.ledger = ledger;
        this.findings = findings;
        topicIds.add(topicId);
    }

    /** The topic was recreated, and has this id now. */
    public synchronized void topicMadeAnew(String topicId) {
        topicIds.add(topicId);
    }

    /** How often the topic had been recreated when it had this id; -1 of an id that is not known yet. */
    synchronized int generation(String topicId) {
        return topicIds.indexOf(topicId);
    }

    /** Number of queries whose answers were checked for being prefixes. */
    public synchronized long prefixesChecked() {
        return prefixesChecked;
    }

    private record Seen(long count, long maxOffset) {
        /** Cold and hot rows. */
        Seen and(Seen other) {
            return new Seen(count + other.count, Math.max(maxOffset, other.maxOffset));
        }
    }

    /**
     * Queries all rows while more arrive. The rows of each tenant and partition must be a prefix, and include all rows
     * below the archived-through that was read before.
     *
     * @throws SQLException if Trino does not answer
     * @throws IOException if the catalog does not answer
     */
    public void checkPrefix() throws SQLException, IOException, InterruptedException {
        Map<String, Map<Integer, Long>> archivedThrough = lab.archivedThrough();
        Map<Lane, Seen> seen = new HashMap<>();
        try (Connection connection = lab.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("""
                        SELECT tenant_id, topic, partition, count(*), max(kafka_offset)
                        FROM (SELECT tenant_id, "$kafka_topic_id" AS topic, "$kafka_partition" AS partition,
                                     "$kafka_offset" AS kafka_offset
                              FROM cordwood.all_tenants.%s)
                        GROUP BY 1, 2, 3""".formatted(Lab.STREAM))) {
            while (result.next()) {
                int tenant = NumberedRow.rank(result.getString(1));
                seen.merge(
                        new Lane(tenant, generation(result.getString(2)), result.getInt(3)),
                        new Seen(result.getLong(4), result.getLong(5)),
                        Seen::and);
            }
        }
        seen.forEach(this::checkPrefix);
        for (Lane lane : ledger.lanes()) {
            checkArchived(lane, archivedThrough, seen.getOrDefault(lane, new Seen(0, -1)));
        }
        synchronized (this) {
            prefixesChecked++;
        }
    }

    private void checkPrefix(Lane lane, Seen seen) {
        if (ledger.wasEverDeletedFrom(lane.tenant())) {
            return; // Its rows are checked at the end.
        }
        // In this order, so that the second one includes rows that are acknowledged between the two.
        long unknown = ledger.unknown(lane.tenant());
        long acknowledged = ledger.acknowledgedUpTo(lane, seen.maxOffset());
        if (seen.count() < acknowledged) {
            findings.add(
                    Kind.NOT_A_PREFIX,
                    "%s: %d rows up to offset %d, %d were acknowledged"
                            .formatted(lane, seen.count(), seen.maxOffset(), acknowledged));
        }
        if (seen.count() > acknowledged + unknown) {
            findings.add(
                    Kind.DOUBLE,
                    "%s: %d rows up to offset %d, %d were acknowledged"
                            .formatted(lane, seen.count(), seen.maxOffset(), acknowledged));
        }
    }

    private void checkArchived(Lane lane, Map<String, Map<Integer, Long>> archivedThrough, Seen seen) {
        if (ledger.wasEverDeletedFrom(lane.tenant())) {
            return;
        }
        String topicId;
        synchronized (this) {
            topicId = topicIds.get(lane.generation());
        }
        long archived = archivedThrough.getOrDefault(topicId, Map.of()).getOrDefault(lane.partition(), 0L);
        long promised = ledger.acknowledgedUpTo(lane, archived - 1);
        if (seen.count() < promised) {
            findings.add(
                    Kind.LOST,
                    "%s: %d rows, but %d were acknowledged below archived-through %d"
                            .formatted(lane, seen.count(), promised, archived));
        }
    }

    /** Reads and compares every row, once all are archived. Returns the number of rows. */
    public long checkAll() throws SQLException {
        BitSet[] found = new BitSet[ledger.producers()];
        for (int producer = 0; producer < found.length; producer++) {
            found[producer] = new BitSet(ledger.rowsPerProducer());
        }
        long count = 0;
        try (Connection connection = lab.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("""
                        SELECT tenant_id, producer, n, to_unixtime(ts) * 1e6, level, latency, ratio, ok, message,
                               "$kafka_topic_id", "$kafka_partition", "$kafka_offset"
                        FROM cordwood.all_tenants.%s""".formatted(Lab.STREAM))) {
            while (result.next()) {
                count++;
                check(result, found);
            }
        }
        for (int producer = 0; producer < found.length; producer++) {
            for (int number = 0; number < ledger.rowsPerProducer(); number++) {
                if (!found[producer].get(number)) {
                    checkMissing(producer, number);
                }
            }
        }
        checkOrder();
        return count;
    }

    /** Checks that the catalog lists no deleted tenant, unless the tenant has sent rows since. */
    public void checkTenants() throws IOException, InterruptedException {
        Set<String> registered = lab.tenants();
        for (int tenant : ledger.deletedForGood()) {
            String id = NumberedRow.tenantId(tenant);
            if (registered.contains(id)) {
                findings.add(Kind.UNEXPECTED, "tenant %s is registered although it was deleted".formatted(id));
            }
        }
    }

    private void check(ResultSet result, BitSet[] found) throws SQLException {
        int producer = result.getInt(2);
        int number = result.getInt(3);
        String name = "producer %d, row %d".formatted(producer, number);
        if (!ledger.knows(producer, number) || ledger.place(producer, number) == Ledger.UNSENT) {
            findings.add(Kind.UNEXPECTED, name + " was never sent");
            return;
        }
        if (found[producer].get(number)) {
            findings.add(Kind.DOUBLE, name);
            return;
        }
        found[producer].set(number);
        NumberedRow row = new NumberedRow(
                producer,
                number,
                NumberedRow.rank(result.getString(1)),
                Math.round(result.getDouble(4)),
                result.getString(5),
                result.getLong(6),
                result.getDouble(7),
                result.getBoolean(8),
                result.getString(9));
        NumberedRow sent = rows.row(producer, number);
        if (!row.equals(sent)) {
            findings.add(Kind.WRONG, "%s instead of %s".formatted(row, sent));
        }
        Place place = new Place(generation(result.getString(10)), result.getInt(11), result.getLong(12));
        long acknowledged = ledger.place(producer, number);
        if (acknowledged >= 0 && acknowledged != place.packed()) {
            findings.add(Kind.WRONG, "%s is at %s, Kafka said %s".formatted(name, place, Place.unpacked(acknowledged)));
        }
        if (ledger.isDeleted(sent.tenant(), place)) {
            findings.add(Kind.UNEXPECTED, name + " belongs to a tenant that was deleted later");
        } else if (ledger.isDeleted(sent)) {
            findings.add(Kind.UNEXPECTED, name + " was deleted");
        }
    }

    private void checkMissing(int producer, int number) {
        long packed = ledger.place(producer, number);
        if (packed < 0) {
            return;
        }
        Place place = Place.unpacked(packed);
        NumberedRow row = rows.row(producer, number);
        if (!ledger.isDeleted(row.tenant(), place) && !ledger.mayBeDeleted(row)) {
            findings.add(Kind.LOST, "%s, acknowledged at %s".formatted(row, place));
        }
    }

    private void checkOrder() throws SQLException {
        for (int tenant = 0; tenant < Math.min(ORDERED_TENANTS, rows.tenants()); tenant++) {
            try (Connection connection = lab.connect();
                    Statement statement = connection.createStatement()) {
                checkOrder(tenant, statement);
            }
        }
    }

    /** Rows of one LogBlock arrive in their order there; rows of several, and hot ones, may be mixed. */
    private void checkOrder(int tenant, Statement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery("""
                SELECT "$path", ts, "$kafka_topic_id", "$kafka_partition", "$kafka_offset"
                FROM cordwood.%s.%s WHERE "$tier" = 'cold'""".formatted(NumberedRow.tenantId(tenant), Lab.STREAM))) {
            Map<String, Ordered> lastOfLogBlock = new HashMap<>();
            while (result.next()) {
                String logBlock = result.getString(1);
                Ordered row =
                        new Ordered(result.getTimestamp(2), result.getString(3), result.getInt(4), result.getLong(5));
                Ordered before = lastOfLogBlock.put(logBlock, row);
                if (before != null && before.compareTo(row) >= 0) {
                    findings.add(Kind.OUT_OF_ORDER, "%s: %s after %s".formatted(logBlock, row, before));
                }
            }
        }
    }

    private record Ordered(Timestamp ts, String topicId, int partition, long offset) implements Comparable<Ordered> {
        private static final Comparator<Ordered> ORDER = Comparator.comparing(Ordered::ts)
                .thenComparing(Ordered::topicId)
                .thenComparing(Ordered::partition)
                .thenComparing(Ordered::offset);

        @Override
        public int compareTo(Ordered other) {
            return ORDER.compare(this, other);
        }
    }
}
