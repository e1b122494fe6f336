package io.cordwood.query.predicate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.logblock.match.MatchQuery;
import io.cordwood.logblock.predicate.Predicate;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.predicate.PredicateEvaluator;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.vector.LongVector;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.logblock.vector.Vector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ConstantPredicateTest {
    private static final int TRIES = 20_000;
    private static final Column TENANT = Column.keyword("tenant_id", 1);
    private static final Column SIZE = Column.of("size", 2, ColumnType.BIGINT);
    private static final List<String> TENANTS =
            List.of("a", "acme", "b", "beta", "cäsar", "z", "\uD83D\uDE00", "\uFFFD");

    private final Random random = new Random(29);

    @Test
    void saysOfConditionsOnTheColumnWhatTheEvaluatorSays() {
        for (int i = 0; i < TRIES; i++) {
            Predicate predicate = predicate(3, false);
            String tenant = tenant();
            assertThat(ConstantPredicate.mayBeTrue(predicate, "tenant_id", tenant))
                    .as("%s of %s", predicate, tenant)
                    .isEqualTo(isTrue(predicate, tenant, 0));
        }
    }

    @Test
    void excludesNoRowThatMatches() {
        int excluded = 0;
        for (int i = 0; i < TRIES; i++) {
            Predicate predicate = predicate(3, true);
            String tenant = tenant();
            if (!ConstantPredicate.mayBeTrue(predicate, "tenant_id", tenant)) {
                excluded++;
                for (long size = 0; size < 10; size++) {
                    assertThat(isTrue(predicate, tenant, size))
                            .as("%s of %s, %d", predicate, tenant, size)
                            .isFalse();
                }
            }
        }
        assertThat(excluded).isGreaterThan(TRIES / 20);
    }

    private static boolean isTrue(Predicate predicate, String tenant, long size) {
        Vector tenants = StringVector.of(tenant);
        Vector sizes = new LongVector(new long[] {size});
        return PredicateEvaluator.evaluate(predicate, column -> column.equals(TENANT) ? tenants : sizes, 1)
                .get(0);
    }

    private String tenant() {
        return TENANTS.get(random.nextInt(TENANTS.size()));
    }

    private Predicate predicate(int depth, boolean withOthers) {
        return switch (random.nextInt(depth == 0 ? 4 : 7)) {
            case 0 -> new Predicate.IsNull(TENANT);
            case 1 ->
                random.nextBoolean()
                        ? new Predicate.Like(TENANT, random.nextBoolean() ? "a%" : "%a_", Optional.empty())
                        : new Predicate.Match(TENANT, MatchQuery.parse(random.nextBoolean() ? "acme" : "be*"));
            case 2, 3 -> withOthers && random.nextBoolean() ? sizes() : tenants();
            case 4 -> new Predicate.Not(predicate(depth - 1, withOthers));
            case 5 -> new Predicate.And(terms(depth, withOthers));
            default -> new Predicate.Or(terms(depth, withOthers));
        };
    }

    private List<Predicate> terms(int depth, boolean withOthers) {
        List<Predicate> terms = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            terms.add(predicate(depth - 1, withOthers));
        }
        return terms;
    }

    private Predicate sizes() {
        return new Predicate.In(SIZE, List.of(ValueRange.equal(random.nextLong(10))));
    }

    /** Sorted, disjoint ranges, as the contract of the predicate asks for. */
    private Predicate tenants() {
        TreeSet<Integer> chosen = new TreeSet<>();
        for (int i = random.nextInt(TENANTS.size()); i >= 0; i--) {
            chosen.add(random.nextInt(TENANTS.size()));
        }
        List<String> values = chosen.stream()
                .map(TENANTS::get)
                .sorted(ConstantPredicateTest::utf8)
                .toList();
        List<ValueRange> ranges = new ArrayList<>();
        int next = 0;
        if (random.nextInt(4) == 0) {
            ranges.add(new ValueRange(Optional.empty(), false, Optional.of(values.getFirst()), random.nextBoolean()));
            next = 1;
        }
        while (next < values.size()) {
            if (next + 1 < values.size() && random.nextBoolean()) {
                ranges.add(new ValueRange(
                        Optional.of(values.get(next)),
                        random.nextBoolean(),
                        Optional.of(values.get(next + 1)),
                        random.nextBoolean()));
                next += 2;
            } else {
                ranges.add(ValueRange.equal(values.get(next++)));
            }
        }
        return new Predicate.In(TENANT, ranges);
    }

    private static int utf8(String first, String second) {
        return Arrays.compareUnsigned(first.getBytes(UTF_8), second.getBytes(UTF_8));
    }
}
