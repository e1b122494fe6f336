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
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * Runs queries without a pause while rows are written. Each answer must be a prefix of every partition of every tenant,
 * and include each row that was acknowledged before the query began.
 */
public final class PrefixReader extends AskingThread {
    /** The tenants of numbered rows; others belong to other parts of the run. */
    private static final Pattern NUMBERED = Pattern.compile("t[0-9]+");

    private static final long REST_MILLIS = 100;
    /** Only the largest tenants are queried by name. */
    public static final int MAX_TENANTS = 20;

    private final Lab lab;
    private final NumberedRow.Maker rows;
    private final Ledger ledger;
    private final Findings findings;
    private final Random random;

    public PrefixReader(Lab lab, NumberedRow.Maker rows, Ledger ledger, Findings findings) {
        super(findings, REST_MILLIS);
        this.lab = lab;
        this.rows = rows;
        this.ledger = ledger;
        this.findings = findings;
        this.random = new Random(rows.seed());
    }

    /**
     * Queries all tenants, then a single one three times; sometimes without statistics, which must not change the
     * answer. False if no query was run.
     */
    @Override
    protected boolean check(int query) throws SQLException {
        boolean ofAll = query % 4 == 0;
        int tenant = random.nextInt(Math.min(MAX_TENANTS, rows.tenants()));
        PrefixCheck check = new PrefixCheck(ledger, findings, rank -> ofAll || rank == tenant);
        if (check.isEmpty()) {
            return false;
        }
        String schema = ofAll ? "all_tenants" : NumberedRow.tenantId(tenant);
        Map<Lane, Seen> seen = new HashMap<>();
        try (Connection connection = lab.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION cordwood.use_statistics = " + (query % 8 < 4));
            try (ResultSet result = statement.executeQuery(
                    """
                    SELECT tenant_id, partition, count(*), count(DISTINCT n * %d + producer), sum(n), max(kafka_offset)
                    FROM (SELECT tenant_id, "$kafka_partition" AS partition, "$kafka_offset" AS kafka_offset,
                                 %s AS n, %s AS producer
                          FROM cordwood.%s.%s)
                    GROUP BY 1, 2""".formatted(ledger.producers(), number("n"), number("producer"), schema, Lab.STREAM))) {
                while (result.next()) {
                    if (NUMBERED.matcher(result.getString(1)).matches()) {
                        seen.put(
                                new Lane(NumberedRow.rank(result.getString(1)), 0, result.getInt(2)),
                                new Seen(result.getLong(3), result.getLong(4), result.getLong(5), result.getLong(6)));
                    }
                }
            }
        }
        check.compare(seen, schema);
        return true;
    }

    /** While a tenant has no table, members have no columns. */
    private static String number(String column) {
        return "coalesce(%1$s, TRY_CAST(element_at(attributes, '%1$s') AS bigint))".formatted(column);
    }
}
