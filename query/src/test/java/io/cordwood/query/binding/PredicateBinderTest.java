package io.cordwood.query.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.predicate.PredicateEvaluator;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.vector.DoubleVector;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.query.scan.Vectors;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.iceberg.expressions.Expressions;
import org.junit.jupiter.api.Test;

class PredicateBinderTest {
    private static final int ROWS = 200;

    private static final Column SIZE = Column.of("size", 1, ColumnType.BIGINT);
    private static final Column SIZE_TWIN = Column.of("size.double", 2, ColumnType.DOUBLE);
    private static final Column LEVEL = Column.keyword("level", 3);
    private static final Column CODE = Column.of("code", 4, ColumnType.BIGINT);

    private static final TableBinding BINDING = new TableBinding(
            Map.of("tenant_id", "acme"),
            Map.of("size", List.of(SIZE, SIZE_TWIN), "level", List.of(LEVEL), "code", List.of(CODE)));

    private final Random random = new Random(23);
    private final LongVector sizes = longs();
    private final DoubleVector twins = doublesWhereNull(sizes);
    private final StringVector levels = texts();
    private final LongVector codes = longs();

    @Test
    void aBoundPredicateIsTrueForTheSameRows() {
        for (int i = 0; i < 2000; i++) {
            Predicate predicate = predicate(3);
            BoundPredicate bound = new PredicateBinder(BINDING).bind(List.of(predicate));
            BitSet actual = PredicateEvaluator.evaluate(bound.pushed(), this::stored, ROWS);
            for (Predicate residual : bound.residual()) {
                actual.and(PredicateEvaluator.evaluate(residual, this::shown, ROWS));
            }
            assertThat(actual)
                    .as(predicate.toString())
                    .isEqualTo(PredicateEvaluator.evaluate(predicate, this::shown, ROWS));
        }
    }

    @Test
    void onlyWhatHasToBeComputedStaysBehind() {
        Predicate onText = new Predicate.Like(Column.of("code", 0, ColumnType.VARCHAR), "4%", Optional.empty());
        Predicate onTwin = in(Column.of("size", 0, ColumnType.DOUBLE), ValueRange.equal(1.0));
        BoundPredicate bound = new PredicateBinder(BINDING).bind(List.of(onTwin, onText));
        assertThat(bound.residual()).containsExactly(onText);
        assertThat(bound.pushed()).isInstanceOf(Predicate.Or.class);
    }

    @Test
    void anEntryOfAttributesHasToBeReadFromTheRow() {
        Predicate onEntry = in(Column.of("attributes.x", 0, ColumnType.VARCHAR), ValueRange.equal("1"));
        TableBinding withAttributes =
                new TableBinding(Map.of(), Map.of("attributes", List.of(Column.map("attributes", 5, 6, 7))));
        BoundPredicate bound = new PredicateBinder(withAttributes).bind(List.of(onEntry));
        assertThat(bound).isEqualTo(new BoundPredicate(Predicate.TRUE, List.of(onEntry)));
        assertThat(StoredPredicates.of(List.of(onEntry), withAttributes)).isEqualTo(Predicate.TRUE);
        assertThat(PruningExpressions.of(List.of(onEntry), withAttributes)).isEqualTo(Expressions.alwaysTrue());
    }

    @Test
    void withoutAttributesEveryEntryIsNull() {
        Column column = Column.of("attributes.x", 0, ColumnType.VARCHAR);
        Predicate onEntry = in(column, ValueRange.equal("1"));
        assertThat(new PredicateBinder(BINDING).bind(List.of(onEntry)).pushed()).isEqualTo(Predicate.FALSE);
        assertThat(new PredicateBinder(BINDING)
                        .bind(List.of(new Predicate.IsNull(column)))
                        .pushed())
                .isEqualTo(Predicate.TRUE);
        assertThat(PruningExpressions.of(List.of(onEntry), BINDING)).isEqualTo(Expressions.alwaysFalse());
    }

    @Test
    void aConstantColumnDecidesAtOnce() {
        Column tenant = Column.of("tenant_id", 0, ColumnType.VARCHAR);
        Predicate other = in(tenant, ValueRange.equal("other"));
        assertThat(new PredicateBinder(BINDING).bind(List.of(other)).pushed()).isEqualTo(Predicate.FALSE);
        assertThat(new PredicateBinder(BINDING)
                        .bind(List.of(new Predicate.Not(other)))
                        .pushed())
                .isEqualTo(Predicate.TRUE);
        assertThat(new PredicateBinder(BINDING)
                        .bind(List.of(new Predicate.Match(tenant, MatchQuery.parse("ACME"))))
                        .pushed())
                .isEqualTo(Predicate.TRUE);
    }

    private Vector stored(Column column) {
        return switch (column.fieldId()) {
            case 1 -> sizes;
            case 2 -> twins;
            case 3 -> levels;
            case 4 -> codes;
            default -> throw new IllegalArgumentException("Not bound: " + column);
        };
    }

    private Vector shown(Column column) {
        return switch (column.name()) {
            case "size" -> Vectors.doubles(sizes, twins);
            case "level" -> levels;
            case "code" ->
                Vectors.texts(codes, ColumnType.BIGINT, Vectors.nulls(ColumnType.BIGINT, ROWS), ColumnType.BIGINT);
            case "tenant_id" -> Vectors.constant("acme", ROWS);
            case "missing" -> Vectors.nulls(ColumnType.VARCHAR, ROWS);
            default -> throw new IllegalArgumentException("Unknown: " + column);
        };
    }

    private Predicate predicate(int depth) {
        if (depth > 0 && random.nextInt(4) > 0) {
            List<Predicate> terms = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(3); i++) {
                terms.add(predicate(depth - 1));
            }
            return switch (random.nextInt(3)) {
                case 0 -> new Predicate.And(terms);
                case 1 -> new Predicate.Or(terms);
                default -> new Predicate.Not(terms.getFirst());
            };
        }
        Column text =
                Column.keyword(List.of("level", "code", "tenant_id", "missing").get(random.nextInt(4)), 0);
        return switch (random.nextInt(6)) {
            case 0 -> new Predicate.IsNull(random.nextBoolean() ? text : doubleColumn());
            case 1 ->
                new Predicate.Match(
                        text, MatchQuery.parse(List.of("acme", "warn", "1*").get(random.nextInt(3))));
            case 2 -> new Predicate.Like(text, List.of("a%", "%1%", "W_rn").get(random.nextInt(3)), Optional.empty());
            case 3 -> in(text, ValueRange.equal(List.of("acme", "1", "Warn").get(random.nextInt(3))));
            default -> in(doubleColumn(), range());
        };
    }

    private static Column doubleColumn() {
        return Column.of("size", 0, ColumnType.DOUBLE);
    }

    private ValueRange range() {
        double low = number();
        double high = low + random.nextInt(4);
        Optional<Object> from = random.nextInt(3) == 0 ? Optional.empty() : Optional.of(low);
        Optional<Object> to = random.nextInt(3) == 0 ? Optional.empty() : Optional.of(high);
        boolean point = low == high;
        return new ValueRange(
                from,
                from.isPresent() && (point || random.nextBoolean()),
                to,
                to.isPresent() && (point || random.nextBoolean()));
    }

    private double number() {
        return random.nextInt(4) == 0 ? 0x1p53 + 2 * random.nextInt(-2, 3) : random.nextInt(-3, 4) / 2.0;
    }

    private static Predicate in(Column column, ValueRange... ranges) {
        return new Predicate.In(column, List.of(ranges));
    }

    private LongVector longs() {
        long[] values = new long[ROWS];
        NullMask nulls = new NullMask(ROWS);
        for (int i = 0; i < ROWS; i++) {
            values[i] = random.nextInt(4) == 0 ? (1L << 53) + random.nextInt(-3, 4) : random.nextInt(-2, 3);
            if (random.nextInt(3) == 0) {
                nulls.set(i);
            }
        }
        return new LongVector(values, ROWS, nulls);
    }

    /** A row has its value in the bigint column or in its twin. */
    private DoubleVector doublesWhereNull(LongVector longs) {
        double[] values = new double[ROWS];
        NullMask nulls = new NullMask(ROWS);
        for (int i = 0; i < ROWS; i++) {
            values[i] = random.nextInt(8) == 0 ? Double.NaN : number();
            if (!longs.isNull(i) || random.nextInt(3) == 0) {
                nulls.set(i);
            }
        }
        return new DoubleVector(values, ROWS, nulls);
    }

    private StringVector texts() {
        String[] values = new String[ROWS];
        for (int i = 0; i < ROWS; i++) {
            values[i] = List.of("acme", "warn", "Warn", "1", "", "11").get(random.nextInt(6));
            if (random.nextInt(5) == 0) {
                values[i] = null;
            }
        }
        return StringVector.of(values);
    }
}
