package io.cordwood.trino;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.predicate.PredicateEvaluator;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.logblock.vector.BooleanVector;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.query.language.BoundSearch;
import io.cordwood.query.language.SearchBinder;
import io.cordwood.query.language.SearchParser;
import io.cordwood.query.language.SqlConditions;
import io.cordwood.query.predicate.PredicateJson;
import io.cordwood.query.predicate.Predicates;
import io.cordwood.query.table.QueryColumn;
import io.trino.grammar.sql.SqlKeywords;
import io.trino.sql.parser.SqlParser;
import io.trino.sql.tree.Identifier;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The SQL of a search selects the rows for which the engine's predicate is true, pushed down or not. */
class CordwoodSearchConditionsIT {
    private static final int ROWS = 600;
    private static final Instant NOW = Instant.parse("2026-01-10T00:00:00.3Z");

    private static final Map<String, QueryColumn> COLUMNS = Stream.of(
                    QueryColumn.TENANT_ID,
                    QueryColumn.TS,
                    QueryColumn.stored("level", ColumnType.VARCHAR, IndexKind.KEYWORD),
                    QueryColumn.stored("host.name", ColumnType.VARCHAR, IndexKind.KEYWORD),
                    QueryColumn.stored("message", ColumnType.VARCHAR, IndexKind.TEXT),
                    QueryColumn.stored("status", ColumnType.BIGINT, IndexKind.NONE),
                    QueryColumn.stored("latency", ColumnType.DOUBLE, IndexKind.NONE),
                    QueryColumn.stored("fail", ColumnType.BOOLEAN, IndexKind.NONE),
                    QueryColumn.stored("size", ColumnType.DOUBLE, IndexKind.NONE),
                    QueryColumn.stored("attributes", ColumnType.MAP, IndexKind.NONE))
            .collect(Collectors.toMap(QueryColumn::name, Function.identity()));

    /** The same rows, each column wrapped in what the connector does not understand. */
    private static final String UNPUSHED = """
            (SELECT "$kafka_offset" + 0 AS "$kafka_offset", concat(tenant_id, '') AS tenant_id,
                    ts + INTERVAL '0' SECOND AS ts, concat(level, '') AS level, concat("host.name", '') AS "host.name",
                    concat(message, '') AS message, status + 0 AS status, latency * 1e0 AS latency,
                    if(random() < 2, fail) AS fail, size * 1e0 AS size, attributes
             FROM logs)""";

    private static final List<String> SEARCHES = List.of(
            "*",
            "-*",
            "disk",
            "-disk",
            "\"disk full\"",
            "it's",
            "tim*",
            "user_id",
            "日",
            "message:disk message:full",
            "level:info",
            "-level:info",
            "level:\"\"",
            "level:*",
            "-level:*",
            "level:50%_off*",
            "level:50%_off\\\\",
            "level:50*",
            "level:*%?off\\\\",
            "level:[A TO J}",
            "level:>'",
            "host.name:HOST-1*",
            "host.name:host-*",
            "host.name:host-?",
            "host.name:(host-1 OR host-2)",
            "status:404",
            "status:>=500",
            "status:9223372036854775807",
            "status:<=-9223372036854775808",
            "status:>-9223372036854775808",
            "-status:200.5",
            "latency:0",
            "latency:>1.5",
            "-latency:>1.5",
            "latency:1e400",
            "latency:<=-1e400",
            "latency:[-2.25 TO 1e300]",
            "latency:*",
            "size:9007199254740992",
            "size:>9007199254740992",
            "-size:1",
            "fail:true",
            "-fail:true",
            "attributes.trace:T1*",
            "attributes.trace:t4",
            "-attributes.trace:t4",
            "attributes.trace:>t3",
            "attributes.level:*",
            "-attributes.missing:*",
            "attributes.it's:x",
            "ts:now",
            "ts:<now",
            "ts:[now-1s TO now-100s]",
            "ts:{2026-01-09 TO now}",
            "ts:1768003200000007",
            "-ts:>now",
            "tenant_id:ACME");

    /** How many conditions that are not pushed down are evaluated in one query. */
    private static final int AT_ONCE = 20;

    @TempDir
    private static Path home;

    private static CordwoodQueryRunner runner;
    private static List<SampleRow> rows;

    @BeforeAll
    static void start() throws Exception {
        runner = CordwoodQueryRunner.start(home, Map.of());
        rows = new ArrayList<>();
        Random random = new Random(41);
        for (SampleRow row : SampleLogs.rows(random, ROWS)) {
            Map<String, Object> values = new LinkedHashMap<>(row.values());
            if (random.nextInt(8) == 0) {
                values.put(
                        "latency",
                        List.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY)
                                .get(random.nextInt(3)));
            }
            if (random.nextInt(3) > 0) {
                values.put(
                        "attributes",
                        Map.of("trace", "t" + random.nextInt(12), "it's", random.nextBoolean() ? "x" : "y"));
            }
            rows.add(new SampleRow(SampleLogs.START_MICROS + 1000L * rows.size() + random.nextInt(10), values));
        }
        runner.tables().write("acme", "logs", 0, SampleLogs.COLUMNS, rows);
    }

    @AfterAll
    static void stop() throws Exception {
        runner.close();
    }

    @Test
    void searchesSelectTheSameRowsInSql() {
        for (String search : SEARCHES) {
            BoundSearch bound = bind(search);
            assertThat(selected("logs", SqlConditions.of(bound)))
                    .as("%s: %s", search, SqlConditions.of(bound))
                    .isEqualTo(expected(bound));
        }
    }

    @Test
    void combinedSearchesSelectTheSameRowsInSql() {
        Random random = new Random(43);
        for (int i = 0; i < 60; i++) {
            String search = combination(random, 2);
            BoundSearch bound = bind(search);
            assertThat(selected("logs", SqlConditions.of(bound)))
                    .as("%s: %s", search, SqlConditions.of(bound))
                    .isEqualTo(expected(bound));
        }
    }

    /** A predicate and its negation tell true, false and null apart. */
    @Test
    void conditionsAreTrueFalseAndNullForTheSameRows() {
        List<Predicate> predicates = new ArrayList<>();
        SEARCHES.forEach(search -> predicates.addAll(bind(search).conjuncts()));
        Column status = PredicateJson.unbound("status", ColumnType.BIGINT);
        Column latency = PredicateJson.unbound("latency", ColumnType.DOUBLE);
        ValueRange all = new ValueRange(Optional.empty(), false, Optional.empty(), false);
        predicates.addAll(List.of(
                Predicate.TRUE,
                Predicate.FALSE,
                new Predicate.In(status, List.of()),
                new Predicate.In(status, List.of(all)),
                new Predicate.In(latency, List.of(all)),
                new Predicate.In(
                        status,
                        List.of(
                                new ValueRange(Optional.empty(), false, Optional.of(-1L), false),
                                ValueRange.equal(0L),
                                ValueRange.equal(200L),
                                new ValueRange(Optional.of(404L), false, Optional.of(500L), true))),
                new Predicate.Or(List.of(
                        new Predicate.And(List.of(
                                new Predicate.IsNull(status), new Predicate.Not(new Predicate.IsNull(latency)))),
                        new Predicate.Not(new Predicate.In(status, List.of(ValueRange.equal(1L))))))));
        Map<String, BitSet> expected = new LinkedHashMap<>();
        for (Predicate predicate : predicates) {
            for (Predicate either : List.of(predicate, new Predicate.Not(predicate))) {
                expected.put(SqlConditions.of(either), expected(new BoundSearch(TimeRange.ALL, List.of(either))));
            }
        }
        expected.forEach(
                (sql, wanted) -> assertThat(selected("logs", sql)).as(sql).isEqualTo(wanted));
        // What is not pushed down needs no query of its own for each
        List<String> conditions = List.copyOf(expected.keySet());
        for (int from = 0; from < conditions.size(); from += AT_ONCE) {
            List<String> some = conditions.subList(from, Math.min(from + AT_ONCE, conditions.size()));
            List<BitSet> selected = selectedUnpushed(some);
            for (int i = 0; i < some.size(); i++) {
                assertThat(selected.get(i))
                        .as("not pushed down: %s", some.get(i))
                        .isEqualTo(expected.get(some.get(i)));
            }
        }
    }

    private static List<BitSet> selectedUnpushed(List<String> conditions) {
        String columns = conditions.stream().map(CordwoodFilterIT::unpushed).collect(Collectors.joining(", "));
        List<BitSet> selected =
                conditions.stream().map(condition -> new BitSet()).toList();
        for (List<Object> row : runner.rows("SELECT \"$kafka_offset\", %s FROM %s".formatted(columns, UNPUSHED))) {
            for (int i = 0; i < conditions.size(); i++) {
                // Neither of false nor of null
                selected.get(i).set(Math.toIntExact((long) row.getFirst()), Boolean.TRUE.equals(row.get(i + 1)));
            }
        }
        return selected;
    }

    @Test
    void namesThatTrinoReservesAreQuoted() {
        SqlParser parser = new SqlParser();
        for (String keyword : SqlKeywords.sqlKeywords()) {
            String name = keyword.toLowerCase(Locale.ROOT);
            String sql = SqlConditions.of(new Predicate.IsNull(PredicateJson.unbound(name, ColumnType.VARCHAR)));
            assertThat(parser.createExpression(sql).getChildren().getFirst())
                    .as(sql)
                    .isInstanceOfSatisfying(
                            Identifier.class,
                            identifier -> assertThat(identifier.getValue()).isEqualTo(name));
        }
    }

    private static String combination(Random random, int depth) {
        if (depth == 0) {
            return SEARCHES.get(random.nextInt(SEARCHES.size()));
        }
        String left = combination(random, depth - 1);
        String right = combination(random, depth - 1);
        return (random.nextBoolean() ? "-(%s %s)" : "(%s OR %s)").formatted(left, right);
    }

    private static BoundSearch bind(String search) {
        return new SearchBinder(COLUMNS, NOW).bind(SearchParser.parse(search));
    }

    /** The offsets, which are the rows' numbers, of the rows that the condition selects. */
    private static BitSet selected(String table, String condition) {
        BitSet selected = new BitSet();
        runner.rows("SELECT \"$kafka_offset\" FROM %s WHERE %s".formatted(table, condition))
                .forEach(row -> selected.set(Math.toIntExact((long) row.getFirst())));
        return selected;
    }

    private static BitSet expected(BoundSearch bound) {
        BitSet expected = PredicateEvaluator.evaluate(
                new Predicate.And(bound.conjuncts().stream()
                        .map(CordwoodSearchConditionsIT::indexed)
                        .toList()),
                CordwoodSearchConditionsIT::vector,
                ROWS);
        for (int row = 0; row < ROWS; row++) {
            long micros = rows.get(row).micros();
            if (micros < bound.time().fromMicros() || micros > bound.time().toMicros()) {
                expected.clear(row);
            }
        }
        return expected;
    }

    /** The predicate on columns that say how {@code match} reads them. */
    private static Predicate indexed(Predicate predicate) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> terms) ->
                new Predicate.And(
                        terms.stream().map(CordwoodSearchConditionsIT::indexed).toList());
            case Predicate.Or(List<Predicate> terms) ->
                new Predicate.Or(
                        terms.stream().map(CordwoodSearchConditionsIT::indexed).toList());
            case Predicate.Not(Predicate term) -> new Predicate.Not(indexed(term));
            case Predicate.IsNull _, Predicate.Like _, Predicate.In _ -> predicate;
            case Predicate.Match(Column column, var _) ->
                Predicates.on(
                        column.name().equals("message")
                                ? Column.text(column.name(), 0)
                                : Column.keyword(column.name(), 0),
                        predicate);
        };
    }

    private static Vector vector(Column column) {
        Object[] values = rows.stream().map(row -> value(column.name(), row)).toArray();
        NullMask nulls = new NullMask(ROWS);
        long[] longs = new long[ROWS];
        double[] doubles = new double[ROWS];
        boolean[] flags = new boolean[ROWS];
        for (int row = 0; row < ROWS; row++) {
            switch (values[row]) {
                case null -> nulls.set(row);
                case Number number -> {
                    longs[row] = number.longValue();
                    doubles[row] = number.doubleValue();
                }
                case Boolean flag -> flags[row] = flag;
                default -> {}
            }
        }
        return switch (column.type()) {
            case VARCHAR ->
                StringVector.of(Stream.of(values)
                        .map(value -> Objects.toString(value, null))
                        .toArray(String[]::new));
            case BIGINT, TIMESTAMP -> new LongVector(longs, ROWS, nulls);
            case DOUBLE -> new DoubleVector(doubles, ROWS, nulls);
            case BOOLEAN -> new BooleanVector(flags, ROWS, nulls);
            case MAP -> throw new AssertionError(column);
        };
    }

    /** The value of an SQL column; null if there is none. */
    private static Object value(String column, SampleRow row) {
        Map<String, Object> values = row.values();
        return QueryColumn.attributeKey(column)
                .<Object>map(key -> ((Map<?, ?>) values.getOrDefault("attributes", Map.of())).get(key))
                .orElseGet(() -> switch (column) {
                    case "ts" -> row.micros();
                    case "tenant_id" -> "acme";
                    case "size" -> values.getOrDefault("size", values.get("size.double"));
                    default -> values.get(column);
                });
    }
}
