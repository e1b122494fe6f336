package io.cordwood.systemtests.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.benchmarks.stack.RunningStack;
import io.cordwood.identity.TokenRules;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.decode.RecordDecoder;
import io.cordwood.record.policy.DecodingPolicy;
import io.cordwood.record.token.TokenCheck;
import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Findings.Kind;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.NumberedRow;
import io.cordwood.systemtests.ledger.Place;
import io.cordwood.systemtests.token.ShippedLog.Shipped;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares everything that a stack has made of its records with their {@link Verdicts}, once all are archived: rows,
 * dead letters, and what a decoder says that reads the records again. For one thread.
 */
final class TokenChecker {
    private static final String FORBIDDEN = "FORBIDDEN_TENANT";
    private static final String ERROR_HEADER = "cordwood.error";

    private final RunningStack stack;
    private final String stream;
    private final NumberedRow.Maker rows;
    private final ShippedLog log;
    private final Verdicts verdicts;
    private final Findings findings;

    TokenChecker(
            RunningStack stack,
            String stream,
            NumberedRow.Maker rows,
            ShippedLog log,
            Verdicts verdicts,
            Findings findings) {
        this.stack = stack;
        this.stream = stream;
        this.rows = rows;
        this.log = log;
        this.verdicts = verdicts;
        this.findings = findings;
    }

    /** Number of records that must be rows. */
    long accepted() {
        return log.partitions().stream()
                .flatMap(List::stream)
                .filter(verdicts::isAccepted)
                .count();
    }

    /** Each acknowledged row is in the log, at its place. */
    void checkAcknowledged(Ledger ledger) {
        for (int producer = 0; producer < ledger.producers(); producer++) {
            for (int number = 0; number < ledger.next(producer); number++) {
                long packed = ledger.place(producer, number);
                if (packed >= 0) {
                    Place place = Place.unpacked(packed);
                    Optional<Shipped> record = log.at(place.partition(), place.offset());
                    if (record.isEmpty()
                            || record.get().producer() != producer
                            || record.get().number() != number) {
                        findings.add(
                                Kind.LOST,
                                "producer %d, row %d: Kafka does not have it at %s".formatted(producer, number, place));
                    }
                }
            }
        }
    }

    /**
     * Each accepted record is a row once, with its values, and no other record is.
     *
     * @param onlyCold whether to ask for committed rows only
     * @return number of rows
     */
    long checkRows(boolean onlyCold) throws SQLException, IOException, InterruptedException {
        String source = onlyCold ? "cold" : "hot and cold";
        List<BitSet> found = log.partitions().stream()
                .map(partition -> new BitSet(partition.size()))
                .toList();
        long count = 0;
        try (Connection connection = stack.connect();
                Statement statement = connection.createStatement()) {
            if (onlyCold) {
                statement.execute("SET SESSION cordwood.hot_tail = 'off'");
            }
            try (ResultSet result = statement.executeQuery("""
                    SELECT tenant_id, producer, n, to_unixtime(ts) * 1e6, level, latency, ratio, ok, message,
                           "$kafka_partition", "$kafka_offset"
                    FROM cordwood.all_tenants.%s""".formatted(stream))) {
                while (result.next()) {
                    count++;
                    check(result, found, source);
                }
            }
        }
        for (List<Shipped> partition : log.partitions()) {
            for (Shipped record : partition) {
                if (verdicts.isAccepted(record)
                        && !found.get(record.partition()).get((int) record.offset())) {
                    findings.add(Kind.LOST, "%s: %s".formatted(source, text(record)));
                }
            }
        }
        return count;
    }

    private void check(ResultSet result, List<BitSet> found, String source) throws SQLException {
        int partition = result.getInt(10);
        long offset = result.getLong(11);
        Optional<Shipped> shipped = log.at(partition, offset);
        if (shipped.isEmpty()) {
            findings.add(
                    Kind.UNEXPECTED, "%s: a row of offset %d of partition %d".formatted(source, offset, partition));
            return;
        }
        Shipped record = shipped.get();
        if (found.get(partition).get((int) offset)) {
            findings.add(Kind.DOUBLE, "%s: %s".formatted(source, text(record)));
            return;
        }
        found.get(partition).set((int) offset);
        if (!verdicts.isAccepted(record)) {
            findings.add(Kind.UNEXPECTED, "%s: refused, %s".formatted(source, text(record)));
        }
        NumberedRow row = new NumberedRow(
                result.getInt(2),
                result.getInt(3),
                NumberedRow.rank(result.getString(1)),
                Math.round(result.getDouble(4)),
                result.getString(5),
                result.getLong(6),
                result.getDouble(7),
                result.getBoolean(8),
                result.getString(9));
        NumberedRow sent = rows.row(record.producer(), record.number());
        if (!row.equals(sent)) {
            findings.add(Kind.WRONG, "%s: %s instead of %s".formatted(source, row, sent));
        }
    }

    /**
     * Each refused record has a dead letter, or several that are the same after a restart, and no other record has.
     *
     * @return number of dead letters
     */
    long checkDeadLetters(String topicId) throws IOException, InterruptedException {
        Map<String, Integer> letters = new HashMap<>();
        ShippedLog.readAll(stack.kafka("admin"), stream + ".dlq", letter -> {
            String error = new String(letter.headers().lastHeader(ERROR_HEADER).value(), UTF_8);
            String key = new String(letter.key(), UTF_8);
            if (!error.equals(FORBIDDEN)) {
                findings.add(Kind.WRONG, "the dead letter %s has the reason %s".formatted(key, error));
            }
            letters.merge(key, 1, Integer::sum);
        });
        long count = letters.values().stream().mapToLong(Integer::longValue).sum();
        for (List<Shipped> partition : log.partitions()) {
            for (Shipped record : partition) {
                boolean hasLetter =
                        letters.remove("%s/%d/%d".formatted(topicId, record.partition(), record.offset())) != null;
                boolean isAccepted = verdicts.isAccepted(record);
                if (hasLetter && isAccepted) {
                    findings.add(Kind.UNEXPECTED, "a dead letter of an accepted record: " + text(record));
                } else if (!hasLetter && !isAccepted) {
                    findings.add(Kind.LOST, "no dead letter: " + text(record));
                }
            }
        }
        letters.keySet()
                .forEach(key -> findings.add(Kind.UNEXPECTED, "the dead letter %s is of no record".formatted(key)));
        return count;
    }

    /** A decoder that reads the records now comes to the same verdicts. */
    void checkReplay(TokenRules rules) {
        RecordDecoder decoder = new RecordDecoder(
                DecodingPolicy.DEFAULT.withRequireToken(true), Optional.of(new TokenCheck(time -> rules)));
        for (List<Shipped> partition : log.partitions()) {
            for (Shipped record : partition) {
                if (isAccepted(decoder, record) != verdicts.isAccepted(record)) {
                    findings.add(
                            verdicts.isAccepted(record) ? Kind.LOST : Kind.UNEXPECTED, "on replay: " + text(record));
                }
            }
        }
    }

    private boolean isAccepted(RecordDecoder decoder, Shipped record) {
        try {
            return decoder.tenant(stream, record.record()).equals(NumberedRow.tenantId(record.tenant()));
        } catch (UndecodableRecordException e) {
            return false;
        }
    }

    /** Without the token. */
    private static String text(Shipped record) {
        return "producer %d, row %d of t%d at offset %d of partition %d, appended at %d"
                .formatted(
                        record.producer(),
                        record.number(),
                        record.tenant(),
                        record.offset(),
                        record.partition(),
                        record.appendMillis());
    }
}
