package io.cordwood.trino;

import static io.cordwood.trino.RandomQuestionTimes.any;

import io.cordwood.trino.AskedColumn.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A random question to the search service. Its seed decides it.
 *
 * @param from the first time of rows, in microseconds since 1970
 * @param to the end, excluded
 * @param columns columns to return beside {@code n}
 * @param interval length of the histogram's buckets in milliseconds
 * @param by the column by whose values the histogram counts
 * @param values the column whose values are counted
 * @param same columns whose values the rows around a row share
 */
record RandomQuestion(
        long seed,
        SearchTree search,
        Optional<Long> from,
        Optional<Long> to,
        boolean newestFirst,
        int limit,
        List<String> columns,
        long interval,
        Optional<AskedColumn> by,
        AskedColumn values,
        List<AskedColumn> same,
        int before,
        int after) {
    private static final List<Long> INTERVALS =
            List.of(1L, 7L, 500L, 3_000L, 60_000L, 3_600_000L, 86_400_000L, 604_800_000L);
    private static final long MAX_BUCKETS_BY = 1_000;

    static RandomQuestion of(long seed) {
        // Neighbouring seeds begin alike
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        List<AskedColumn> columns = RandomRows.asked();
        List<AskedColumn> stored =
                columns.stream().filter(AskedColumn::isStored).toList();
        SearchTree search = new RandomTree(random, columns).next();
        Optional<Long> from = time(random, TwoTiers.BATCHES / 2);
        Optional<Long> to = time(random, TwoTiers.BATCHES).filter(end -> from.isEmpty() || from.get() < end);
        return new RandomQuestion(
                seed,
                search,
                from,
                to,
                random.nextBoolean(),
                any(random, List.of(1, 7, 100, 1_000, 20_000)),
                some(random, stored, stored.size()).stream()
                        .map(AskedColumn::name)
                        .toList(),
                any(random, INTERVALS),
                random.nextBoolean() ? Optional.of(any(random, stored)) : Optional.empty(),
                any(random, stored),
                some(
                        random,
                        stored.stream()
                                .filter(column -> column.kind() != Kind.TIME)
                                .toList(),
                        2),
                any(random, List.of(0, 1, 9, 300)),
                any(random, List.of(0, 1, 9, 300)));
    }

    private static Optional<Long> time(Random random, int batches) {
        return random.nextInt(3) == 0
                ? Optional.empty()
                : Optional.of(RandomQuestionTimes.of(random, random.nextInt(batches)));
    }

    private static List<AskedColumn> some(Random random, List<AskedColumn> columns, int atMost) {
        List<AskedColumn> shuffled = new ArrayList<>(columns);
        Collections.shuffle(shuffled, random);
        return List.copyOf(shuffled.subList(0, random.nextInt(atMost + 1)));
    }

    /** The condition in SQL. */
    String sql() {
        return search.sql()
                + from.map(micros -> " AND ts >= " + RandomQuestionTimes.sql(micros))
                        .orElse("")
                + to.map(micros -> " AND ts < " + RandomQuestionTimes.sql(micros))
                        .orElse("");
    }

    /** The fields of a request that say which rows. */
    Map<String, Object> condition() {
        Map<String, Object> fields = new LinkedHashMap<>(Map.of("query", search.text()));
        from.ifPresent(micros -> fields.put("from", micros));
        to.ifPresent(
                micros -> fields.put("to", RandomQuestionTimes.instant(micros).toString()));
        return fields;
    }

    /** The same, with both times, around all rows if it has none, and near enough for its buckets. */
    RandomQuestion forHistogram() {
        long first = from.orElse(SampleLogs.START_MICROS - RandomQuestionTimes.HOUR_MICROS);
        long end = to.orElse(SampleLogs.START_MICROS + TwoTiers.BATCHES * RandomQuestionTimes.BATCH_MICROS);
        long longest = MAX_BUCKETS_BY * interval * 1000 - interval * 2000;
        return new RandomQuestion(
                seed,
                search,
                Optional.of(first),
                Optional.of(Math.min(end, first + longest)),
                newestFirst,
                limit,
                columns,
                interval,
                by,
                values,
                same,
                before,
                after);
    }
}
