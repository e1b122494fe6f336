package io.cordwood.hot.statistics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.hot.log.HotSpan;
import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.predicate.PredicateEvaluator;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.record.KafkaRecord;
import io.cordwood.record.UndecodableRecordException;
import io.cordwood.record.assemble.DayRows;
import io.cordwood.record.assemble.NewColumn;
import io.cordwood.record.assemble.RowAssembler;
import io.cordwood.record.buffer.RowBuffer;
import io.cordwood.record.decode.BadLines;
import io.cordwood.record.decode.RecordDecoder;
import io.cordwood.record.policy.DecodingPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TenantColumnsTest {
    private static final String TENANT = "acme";
    private static final int PARTITION = 2;
    private static final int CHUNK = (int) ChunkStatistics.OFFSETS;
    private static final long APPENDED = 1_800_000_000_000_000L;
    private static final DecodingPolicy POLICY = DecodingPolicy.DEFAULT;
    private static final List<Column> BASE = List.of(
            Column.keyword(LogBlockSchema.TENANT_ID, 1).asRequired(),
            Column.of(LogBlockSchema.TS, 2, ColumnType.TIMESTAMP).asRequired(),
            Column.map(LogBlockSchema.ATTRIBUTES, 3, 4, 5),
            Column.keyword(LogBlockSchema.KAFKA_TOPIC_ID, 6).asRequired(),
            Column.of(LogBlockSchema.KAFKA_PARTITION, 7, ColumnType.BIGINT).asRequired(),
            Column.of(LogBlockSchema.KAFKA_OFFSET, 8, ColumnType.BIGINT).asRequired(),
            Column.of(LogBlockSchema.KAFKA_ORDINAL, 9, ColumnType.BIGINT).asRequired());

    private static final List<String> NAMES =
            List.of("message", "Message", "level", "n", "n.double", "ratio", "flag", "seen", "o.a", "tags");
    private static final List<String> VALUES = List.of(
            "\"Connection RESET by peer-7\"",
            "\"disk /dev/sda1 is full\"",
            "\"日志 ERROR Überlauf 42\"",
            "\"\"",
            "\"a\"",
            "\"2026-01-02T03:04:05Z\"",
            "\"" + "x".repeat(300) + "\"",
            "\"exactly8\"",
            "\"exactly8bytes and 16\"",
            "\"tab\\tand \\u00e9scape\"",
            "7",
            "-7",
            "0",
            "9007199254740993",
            "123456789012345678901234567890",
            "1.5",
            "-0.25",
            "1e300",
            "-2.5E-3",
            "NaN",
            "true",
            "false",
            "null",
            "[1, \"two\"]",
            "{}");
    private static final List<String> WORDS = List.of(
            "connection",
            "RESET",
            "peer-7",
            "7",
            "日",
            "überlauf",
            "é",
            "exactly8",
            "absent",
            "-7",
            "x".repeat(256),
            "full");

    /** What decides is the row's value in the column of whatever schema the table has. */
    @Property(tries = 400)
    void noRowIsLostByWhatIsKnownOfColumns(@ForAll long seed) throws UndecodableRecordException {
        Random random = new Random(seed);
        ColumnsRecorder recorder = new ColumnsRecorder(new TermHash(), 1 + random.nextInt(50));
        RowBuffer buffer = new RowBuffer();
        RecordDecoder decoder = new RecordDecoder(POLICY);
        int records = 1 + random.nextInt(6);
        for (int offset = 0; offset < records; offset++) {
            decoder.decode(TENANT, record(offset, json(random)), buffer, Optional.of(recorder), BadLines.IGNORED);
        }
        OffsetSpan span = new OffsetSpan(PARTITION, 0, records);
        TenantColumns columns = roundTrip(recorder.columns(TENANT, span).orElseThrow());

        LogBlockSchema table = schema(random, buffer);
        DayRows rows = new RowAssembler(POLICY, "logs")
                .assemble(table, TENANT, "topic", PARTITION, List.of(buffer))
                .days()
                .getFirst();
        for (int i = 0; i < 40; i++) {
            Predicate predicate = predicate(random, table, 2);
            BitSet found = PredicateEvaluator.evaluate(
                    predicate, column -> rows.columns().get(table.columns().indexOf(column)), rows.rows());
            if (!found.isEmpty()) {
                assertThat(columns.mayMatch(predicate)).as("%s", predicate).isTrue();
            }
        }
    }

    private static KafkaRecord record(long offset, String json) {
        return new KafkaRecord(offset, APPENDED + offset, TENANT.getBytes(UTF_8), json.getBytes(UTF_8));
    }

    private static String json(Random random) {
        List<String> members = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            members.add("\"%s\":%s".formatted(pick(random, NAMES), pick(random, VALUES)));
        }
        return "{" + String.join(",", members) + "}";
    }

    /** Some of the columns that the rows need, some that other rows made, of other types. */
    private static LogBlockSchema schema(Random random, RowBuffer buffer) {
        Map<String, Column> added = new HashMap<>();
        int id = 100;
        LogBlockSchema base = new LogBlockSchema(BASE);
        for (NewColumn column : new RowAssembler(POLICY, "logs").missingColumns(base, List.of(buffer))) {
            if (random.nextInt(4) > 0) {
                added.put(column.name(), column(column.name(), id++, column.type(), column.index()));
            }
        }
        List<ColumnType> types = List.of(
                ColumnType.VARCHAR, ColumnType.BIGINT, ColumnType.DOUBLE, ColumnType.BOOLEAN, ColumnType.TIMESTAMP);
        for (String name : NAMES) {
            ColumnType type = pick(random, types);
            IndexKind index = type == ColumnType.VARCHAR
                    ? pick(random, List.of(IndexKind.KEYWORD, IndexKind.TEXT))
                    : IndexKind.NONE;
            if (name.equals(name.toLowerCase(Locale.ROOT)) && random.nextBoolean()) {
                added.putIfAbsent(name, column(name, id++, type, index));
            }
        }
        List<Column> all = new ArrayList<>(BASE);
        all.addAll(added.values());
        return new LogBlockSchema(all);
    }

    private static Column column(String name, int id, ColumnType type, IndexKind index) {
        return new Column(name, id, type, index, false, 0, 0);
    }

    private static Predicate predicate(Random random, LogBlockSchema table, int depth) {
        Column column = pick(
                random,
                table.columns().stream()
                        .filter(each -> each.type() != ColumnType.MAP)
                        .toList());
        return switch (depth == 0 ? 3 + random.nextInt(5) : random.nextInt(8)) {
            case 0 ->
                new Predicate.And(List.of(predicate(random, table, depth - 1), predicate(random, table, depth - 1)));
            case 1 ->
                new Predicate.Or(List.of(predicate(random, table, depth - 1), predicate(random, table, depth - 1)));
            case 2 -> new Predicate.Not(predicate(random, table, depth - 1));
            case 3 -> new Predicate.Not(new Predicate.IsNull(column));
            default -> leaf(random, column);
        };
    }

    private static Predicate leaf(Random random, Column column) {
        if (column.type() != ColumnType.VARCHAR) {
            return new Predicate.In(column, List.of(range(random, column.type())));
        }
        String text = random.nextBoolean() ? pick(random, WORDS) : unquoted(pick(random, VALUES));
        return switch (random.nextInt(3)) {
            case 0 -> new Predicate.In(column, List.of(ValueRange.equal(text)));
            case 1 -> new Predicate.Like(column, "%" + text.replaceAll("[%_]", "") + "%", Optional.empty());
            default -> {
                String word = pick(random, WORDS);
                yield new Predicate.Match(
                        column, MatchQuery.parse(random.nextInt(3) == 0 ? "\"" + word + "\"*" : "\"" + word + "\""));
            }
        };
    }

    private static String unquoted(String json) {
        return json.startsWith("\"") ? json.substring(1, json.length() - 1) : json;
    }

    private static ValueRange range(Random random, ColumnType type) {
        Object value = switch (type) {
            case BIGINT -> pick(random, List.of(7L, -7L, 0L, 1L, -1L, 9007199254740993L, Long.MAX_VALUE));
            case DOUBLE -> pick(random, List.of(7.0, -7.0, 1.5, -0.25, 1e300, 1e299, 9007199254740992.0, 0.0, -0.0025));
            case BOOLEAN -> random.nextBoolean();
            default -> APPENDED + random.nextInt(3);
        };
        Optional<Object> bound = Optional.of(value);
        return switch (type == ColumnType.BOOLEAN ? 0 : random.nextInt(3)) {
            case 0 -> ValueRange.equal(value);
            case 1 -> new ValueRange(bound, random.nextBoolean(), Optional.empty(), false);
            default -> new ValueRange(Optional.empty(), false, bound, random.nextBoolean());
        };
    }

    private static <T> T pick(Random random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private static TenantColumns roundTrip(TenantColumns columns) {
        TenantColumns decoded =
                TenantColumnsFormat.decode(TenantColumnsFormat.encode(columns)).orElseThrow();
        assertThat(decoded.tenantId()).isEqualTo(columns.tenantId());
        assertThat(decoded.span()).isEqualTo(columns.span());
        assertThat(decoded.members()).isEqualTo(columns.members());
        assertThat(decoded.terms().words()).isEqualTo(columns.terms().words());
        return decoded;
    }

    /** The least that must be ruled out, or nothing would be spared. */
    @Test
    void rulesOutWhatIsNotThere() throws UndecodableRecordException {
        ChunkRecorder recorder = new ChunkRecorder(PARTITION, 0);
        RecordDecoder decoder = new RecordDecoder(POLICY);
        RowBuffer buffer = new RowBuffer();
        recorder.takeColumns(Set.of(TENANT));
        for (int offset = 0; offset < 2 * CHUNK + 100; offset++) {
            String json = "{\"message\":\"request %s took %d ms\",\"latency\":%d,\"level\":\"INFO\",\"ratio\":%d.5}"
                    .formatted(Integer.toHexString(offset * 0x9E3779B1), offset, offset, offset);
            decoder.decode(TENANT, record(offset, json), buffer, recorder.observer(TENANT, offset), BadLines.IGNORED);
            recorder.rows(TENANT, offset, 1, offset, offset);
        }
        List<TenantColumns> known = recorder.takeColumns(Set.of(TENANT));
        assertThat(known)
                .extracting(TenantColumns::span)
                .as("nothing is known of the first chunk, in which the tenant has become large")
                .containsExactly(
                        new OffsetSpan(PARTITION, CHUNK, 2L * CHUNK),
                        new OffsetSpan(PARTITION, 2L * CHUNK, 2L * CHUNK + 100));
        TenantColumns columns = known.getFirst();
        assertThat(TenantColumnsFormat.encode(columns).length).isLessThan(70_000);

        Column message = Column.text("message", 1);
        int wrong = 0;
        for (int i = 0; i < 1000; i++) {
            String absent = Integer.toHexString((i + 3 * CHUNK) * 0x9E3779B1);
            String present = Integer.toHexString((i + CHUNK) * 0x9E3779B1);
            wrong += columns.mayMatch(new Predicate.Match(message, MatchQuery.parse(absent))) ? 1 : 0;
            assertThat(columns.mayMatch(new Predicate.Match(message, MatchQuery.parse(present))))
                    .isTrue();
        }
        assertThat(wrong).as("of 1,000 tokens that are not there").isLessThan(60);
        assertThat(columns.mayMatch(in(Column.keyword("level", 2), "ERROR"))).isFalse();
        assertThat(columns.mayMatch(in(Column.keyword("absent", 3), "x"))).isFalse();
        assertThat(columns.mayMatch(in(Column.of("latency", 4, ColumnType.BIGINT), 100L)))
                .isFalse();
        assertThat(columns.mayMatch(in(Column.of("latency", 4, ColumnType.BIGINT), CHUNK + 1L)))
                .isTrue();
        assertThat(columns.mayMatch(in(Column.of("ratio", 5, ColumnType.DOUBLE), 100.5)))
                .isFalse();
        assertThat(columns.mayMatch(in(Column.of("ratio", 5, ColumnType.DOUBLE), CHUNK + 1.5)))
                .isTrue();

        Column latency = Column.of("latency", 4, ColumnType.BIGINT);
        assertThat(columns.mayMatch(below(latency, (long) CHUNK, true))).isTrue();
        assertThat(columns.mayMatch(below(latency, (long) CHUNK, false)))
                .as("the least one is not below itself")
                .isFalse();
        assertThat(columns.mayMatch(below(Column.of("ratio", 5, ColumnType.DOUBLE), (double) CHUNK, false)))
                .isFalse();

        KnownColumns all = new KnownColumns();
        known.forEach(all::add);
        List<HotSpan> asked = ChunkStatistics.cut(new OffsetSpan(PARTITION, 10, 2L * CHUNK + 200)).stream()
                .map(HotSpan::unknown)
                .toList();
        assertThat(all.prune(asked, in(Column.of("latency", 4, ColumnType.BIGINT), -1L), new PruningMetrics()))
                .as("what is not covered is read")
                .extracting(HotSpan::span)
                .containsExactly(
                        new OffsetSpan(PARTITION, 10, CHUNK),
                        new OffsetSpan(PARTITION, 2L * CHUNK + 100, 2L * CHUNK + 200));
    }

    private static Predicate below(Column column, Object value, boolean inclusive) {
        return new Predicate.In(
                column, List.of(new ValueRange(Optional.empty(), false, Optional.of(value), inclusive)));
    }

    private static Predicate in(Column column, Object value) {
        return new Predicate.In(column, List.of(ValueRange.equal(value)));
    }

    @Test
    void whatIsDamagedIsUnknown() {
        ColumnsRecorder recorder = new ColumnsRecorder(new TermHash(), 20);
        recorder.text("message", true, "one two".getBytes(UTF_8), 0, 7);
        byte[] bytes = TenantColumnsFormat.encode(
                recorder.columns(TENANT, new OffsetSpan(PARTITION, 5, 9)).orElseThrow());
        assertThat(TenantColumnsFormat.decode(bytes)).isPresent();
        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 0x10;
            assertThat(TenantColumnsFormat.decode(damaged)).isEmpty();
            assertThat(TenantColumnsFormat.decode(Arrays.copyOf(bytes, i))).isEmpty();
        }
    }

    @Test
    void filtersOfAChunkAreBoundedInSumAndTheLargestTenantsHaveThem() {
        ChunkRecorder recorder = new ChunkRecorder(PARTITION, 0);
        Set<String> tenants = new HashSet<>();
        for (int tenant = 0; tenant < 100; tenant++) {
            tenants.add("tenant-" + tenant);
        }
        recorder.takeColumns(tenants);
        int chunks = 40;
        for (int offset = 0; offset < chunks * CHUNK; offset++) {
            int tenant = offset % 100;
            // Records of many rows: the later the tenant, the more
            int rows = 1000 * (1 + tenant);
            recorder.observer("tenant-" + tenant, offset).ifPresent(observer -> observer.integer("n", tenant));
            recorder.rows("tenant-" + tenant, offset, rows, 0, 0);
        }
        List<TenantColumns> known = recorder.takeColumns(tenants);
        assertThat(known.stream().mapToInt(TenantColumns::bytes).sum())
                .as("what waits")
                .isLessThanOrEqualTo(ChunkRecorder.MAX_WAITING_BYTES);
        assertThat(known.stream().filter(each -> each.number() == chunks - 1))
                .extracting(TenantColumns::tenantId)
                .as("four full filters")
                .containsExactly("tenant-99", "tenant-98", "tenant-97", "tenant-96");
    }

    @Test
    void whatWaitsIsBoundedByBytes() {
        ChunkRecorder recorder = new ChunkRecorder(PARTITION, 0);
        Random random = new Random(1);
        recorder.takeColumns(Set.of(TENANT));
        for (int offset = 0; offset < 30 * CHUNK; offset++) {
            String words = random.ints(8).mapToObj(Integer::toHexString).collect(joining(" "));
            byte[] message = words.getBytes(UTF_8);
            recorder.observer(TENANT, offset)
                    .ifPresent(observer -> observer.text("message", true, message, 0, message.length));
            recorder.rows(TENANT, offset, 1, offset, offset);
        }
        List<TenantColumns> known = recorder.takeColumns(Set.of(TENANT));
        assertThat(known.stream().mapToInt(TenantColumns::bytes).sum())
                .isBetween(ChunkRecorder.MAX_WAITING_BYTES - 70_000, ChunkRecorder.MAX_WAITING_BYTES);
        assertThat(known.getLast().number()).as("the newest are kept").isEqualTo(29);
        for (TenantColumns each : known) {
            assertThat(TenantColumnsFormat.encode(each).length).isLessThanOrEqualTo(each.bytes());
        }
        assertThat(recorder.takeColumns(Set.of(TENANT))).isEmpty();
    }

    @Test
    void ofTenantsWithVeryManyMembersNothingIsKnown() {
        ColumnsRecorder recorder = new ColumnsRecorder(new TermHash(), 20);
        for (int i = 0; i < 10_000; i++) {
            recorder.integer("member" + i, i);
        }
        assertThat(recorder.columns(TENANT, new OffsetSpan(PARTITION, 0, 1))).isEmpty();
    }
}
