package io.cordwood.query.language;

import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.language.SearchExpression.ColumnReference;
import io.cordwood.query.language.SearchValue.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Seeded searches that {@link SampleColumns} accept and that select some of the {@link SampleRow}s. Not thread-safe.
 */
final class RandomTerms {
    private static final long NOW = SampleColumns.NOW.getEpochSecond() * 1_000_000 + 6;
    private static final long HOUR = 3_600_000_000L;
    private static final long DAY = 24 * HOUR;
    private static final long TODAY = NOW / DAY * DAY;

    /** Times as written, and what they stand for. */
    static final Map<String, TimeRange> TIMES = Map.of(
            "now",
            new TimeRange(NOW, NOW),
            "now-5h",
            new TimeRange(NOW - 5 * HOUR, NOW - 5 * HOUR),
            "now+1d",
            new TimeRange(NOW + DAY, NOW + DAY),
            "2026-01-02",
            new TimeRange(TODAY, TODAY + DAY - 1),
            "2026-01-01",
            new TimeRange(TODAY - DAY, TODAY - 1),
            "2026-01-02T03:04:05.000006Z",
            new TimeRange(NOW, NOW),
            "2026-01-02 05:04:05+01:00",
            new TimeRange(NOW + HOUR - 6, NOW + HOUR - 6),
            Long.toString(NOW - HOUR),
            new TimeRange(NOW - HOUR, NOW - HOUR));

    private static final List<String> NUMBERS = List.of(
            "-1",
            "0",
            "-0.0",
            "1",
            "0.5",
            "-0.5",
            "500",
            "5e2",
            "500.5",
            "499.999",
            "1e30",
            "-1e30",
            "9223372036854775807",
            "-9223372036854775808",
            "1e400");

    private final Random random;

    RandomTerms(Random random) {
        this.random = random;
    }

    SearchExpression expression(int depth) {
        if (depth == 0 || random.nextInt(4) == 0) {
            return term();
        }
        return switch (random.nextInt(3)) {
            case 0 -> new SearchExpression.And(List.of(expression(depth - 1), expression(depth - 1)));
            case 1 ->
                new SearchExpression.Or(List.of(expression(depth - 1), expression(depth - 1), expression(depth - 1)));
            default -> new SearchExpression.Not(expression(depth - 1));
        };
    }

    private SearchExpression term() {
        String column = SampleRow.any(
                List.of(
                        "",
                        "message",
                        "error.stack",
                        "level",
                        "host",
                        "attributes.User.Id",
                        "attributes.x",
                        "seen",
                        "ts",
                        "status",
                        "took",
                        "fail"),
                random);
        if (column.isEmpty()) {
            SearchValue.Text text = random.nextInt(8) == 0 ? new SearchValue.Any() : tokens();
            return new SearchExpression.InText(text, 0);
        }
        return new SearchExpression.InColumn(new ColumnReference(column, 0), value(column), 0);
    }

    private SearchValue value(String column) {
        if (random.nextInt(8) == 0) {
            return new SearchValue.Any();
        }
        return switch (column) {
            case "message", "error.stack" -> random.nextInt(4) == 0 ? range(SampleRow.TEXTS) : tokens();
            case "status", "took" -> exactOrRange(NUMBERS);
            case "fail" -> new SearchValue.Exact(Boolean.toString(random.nextBoolean()));
            case "ts", "seen" -> exactOrRange(TIMES.keySet().stream().sorted().toList());
            default -> keyword();
        };
    }

    private SearchValue exactOrRange(List<String> values) {
        return random.nextBoolean() ? new SearchValue.Exact(SampleRow.any(values, random)) : range(values);
    }

    private SearchValue.Range range(List<String> values) {
        return new SearchValue.Range(bound(values), random.nextBoolean(), bound(values), random.nextBoolean());
    }

    private Optional<String> bound(List<String> values) {
        return random.nextInt(3) == 0 ? Optional.empty() : Optional.of(SampleRow.any(values, random));
    }

    /** A word, phrase or prefix with a token. */
    private SearchValue.Text tokens() {
        List<SearchValue.Text> possible = Stream.generate(this::part)
                .limit(20)
                .<SearchValue.Text>flatMap(text -> Stream.of(new SearchValue.Exact(text), new SearchValue.Prefix(text)))
                .filter(text -> text instanceof SearchValue.Exact(String exact)
                        ? exact.matches("(?s).*[\\p{L}\\p{Nd}].*")
                        : ((SearchValue.Prefix) text).text().matches("(?s).*[\\p{L}\\p{Nd}]"))
                .toList();
        return possible.isEmpty() ? new SearchValue.Exact("web") : SampleRow.any(possible, random);
    }

    private SearchValue keyword() {
        return switch (random.nextInt(5)) {
            case 0 -> range(SampleRow.TEXTS);
            case 1 -> {
                String prefix = part();
                yield prefix.isEmpty() ? new SearchValue.Any() : new SearchValue.Prefix(prefix);
            }
            case 2 -> pattern();
            default -> new SearchValue.Exact(SampleRow.any(SampleRow.TEXTS, random));
        };
    }

    private SearchValue.Pattern pattern() {
        List<Part> parts = new ArrayList<>(List.of(new Part.AnyRun()));
        String part = part();
        if (!part.isEmpty()) {
            parts.add(new Part.Literal(part));
        }
        parts.add(new Part.AnyOne());
        if (random.nextBoolean()) {
            parts.add(new Part.AnyRun());
        }
        return new SearchValue.Pattern(parts);
    }

    /** A part of a value, in any case. */
    private String part() {
        String text = SampleRow.any(SampleRow.TEXTS, random);
        int from = random.nextInt(text.length() + 1);
        int to = random.nextInt(from, text.length() + 1);
        String part = text.substring(random.nextBoolean() ? 0 : from, to);
        return random.nextInt(3) == 0 ? part.toUpperCase(Locale.ROOT) : part;
    }
}
