package io.cordwood.query.language;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.schema.TimeRange;
import io.cordwood.query.language.SearchExpression.ColumnReference;
import io.cordwood.query.language.SearchValue.Part;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules of the language, written again in the plainest way: a term is true or not, nothing is null. Stateless. */
final class NaiveSearch {
    private static final Pattern TOKEN = Pattern.compile("\\p{IsHan}|[\\p{L}\\p{M}\\p{Nd}&&[^\\p{IsHan}]]+");

    private NaiveSearch() {}

    static boolean matches(SearchExpression expression, SampleRow row) {
        return switch (expression) {
            case SearchExpression.And(List<SearchExpression> terms) ->
                terms.stream().allMatch(term -> matches(term, row));
            case SearchExpression.Or(List<SearchExpression> terms) ->
                terms.stream().anyMatch(term -> matches(term, row));
            case SearchExpression.Not(SearchExpression term) -> !matches(term, row);
            case SearchExpression.InText(SearchValue.Any _, int _) -> true;
            case SearchExpression.InText(SearchValue.Text text, int _) ->
                List.of("message", "error.stack").stream()
                        .flatMap(column -> row.value(column).stream())
                        .anyMatch(value -> isInText(text, (String) value));
            case SearchExpression.InColumn(ColumnReference column, SearchValue value, int _) ->
                row.value(column.text())
                        .filter(found -> matches(column.text(), value, found))
                        .isPresent();
        };
    }

    private static boolean matches(String column, SearchValue value, Object found) {
        if (value instanceof SearchValue.Any) {
            return true;
        }
        return switch (column) {
            case "message", "error.stack" ->
                value instanceof SearchValue.Text text
                        ? isInText(text, (String) found)
                        : isIn((SearchValue.Range) value, text -> order((String) found, text));
            case "status" -> isBigint(value, (long) found);
            case "took" -> isDouble(value, (double) found);
            case "fail" -> found.toString().equals(((SearchValue.Exact) value).text());
            case "ts", "seen" -> isTime(value, (long) found);
            default -> isKeyword(value, (String) found);
        };
    }

    private static boolean isInText(SearchValue.Text text, String value) {
        return switch (text) {
            case SearchValue.Exact(String exact) -> contains(tokens(value), tokens(exact), String::equals);
            case SearchValue.Prefix(String prefix) -> contains(tokens(value), tokens(prefix), String::startsWith);
            default -> throw new AssertionError(text);
        };
    }

    private static List<String> tokens(String text) {
        List<String> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(text);
        while (matcher.find()) {
            tokens.add(lower(matcher.group()));
        }
        return tokens;
    }

    private static boolean contains(List<String> tokens, List<String> phrase, BiPredicate<String, String> last) {
        for (int at = 0; at + phrase.size() <= tokens.size(); at++) {
            int end = at + phrase.size() - 1;
            if (tokens.subList(at, end).equals(phrase.subList(0, phrase.size() - 1))
                    && last.test(tokens.get(end), phrase.getLast())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isKeyword(SearchValue value, String found) {
        return switch (value) {
            case SearchValue.Exact(String text) ->
                isAsWritten(text) ? found.equals(text) : lower(found).equals(lower(text));
            case SearchValue.Prefix(String text) ->
                isAsWritten(text) ? found.startsWith(text) : lower(found).startsWith(lower(text));
            case SearchValue.Pattern(List<Part> parts) ->
                regex(parts).matcher(found).matches();
            case SearchValue.Range range -> isIn(range, text -> order(found, text));
            case SearchValue.Any _ -> throw new AssertionError(value);
        };
    }

    private static boolean isAsWritten(String text) {
        return text.contains("\"") || tokens(text).isEmpty();
    }

    private static Pattern regex(List<Part> parts) {
        StringBuilder regex = new StringBuilder();
        for (Part part : parts) {
            regex.append(
                    switch (part) {
                        case Part.Literal(String text) -> Pattern.quote(text);
                        case Part.AnyOne() -> ".";
                        case Part.AnyRun() -> ".*";
                    });
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }

    private static boolean isBigint(SearchValue value, long found) {
        Function<String, Optional<Integer>> order =
                text -> Optional.of(BigDecimal.valueOf(found).compareTo(new BigDecimal(text)));
        return value instanceof SearchValue.Exact(String text)
                ? order.apply(text).orElseThrow() == 0
                : isIn((SearchValue.Range) value, order);
    }

    private static boolean isDouble(SearchValue value, double found) {
        // NaN has no order
        Function<String, Optional<Integer>> order = text -> Double.isNaN(found)
                ? Optional.empty()
                : Optional.of(Double.compare(found + 0.0, Double.parseDouble(text) + 0.0));
        return value instanceof SearchValue.Exact(String text)
                ? order.apply(text).equals(Optional.of(0))
                : isIn((SearchValue.Range) value, order);
    }

    private static boolean isTime(SearchValue value, long found) {
        if (value instanceof SearchValue.Exact(String text)) {
            TimeRange span = RandomTerms.TIMES.get(text);
            return span.fromMicros() <= found && found <= span.toMicros();
        }
        return isIn(
                (SearchValue.Range) value,
                text -> Optional.of(
                        Long.compare(found, RandomTerms.TIMES.get(text).fromMicros())));
    }

    /** @param order the order of the value and a bound, if there is one */
    private static boolean isIn(SearchValue.Range range, Function<String, Optional<Integer>> order) {
        boolean isAbove = range.low()
                .map(low -> order.apply(low)
                        .filter(o -> o > 0 || (o == 0 && range.lowInclusive()))
                        .isPresent())
                .orElse(true);
        boolean isBelow = range.high()
                .map(high -> order.apply(high)
                        .filter(o -> o < 0 || (o == 0 && range.highInclusive()))
                        .isPresent())
                .orElse(true);
        return isAbove && isBelow;
    }

    private static Optional<Integer> order(String left, String right) {
        return Optional.of(Arrays.compareUnsigned(left.getBytes(UTF_8), right.getBytes(UTF_8)));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
