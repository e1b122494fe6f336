package io.cordwood.trino;

import static io.cordwood.trino.AskedColumn.literal;

import io.cordwood.trino.AskedColumn.Kind;
import java.util.Optional;

/**
 * A value as a search asks for it, which becomes SQL by the documentation of searches alone. Immutable.
 *
 * <p>No condition is null for a row with a value.
 */
sealed interface WantedValue {
    /** How it is written behind the column's colon, or in a group. */
    String text();

    /** The condition in SQL. */
    String sql(AskedColumn column);

    /**
     * A value as it is written, and what it means.
     *
     * @param text in a search
     * @param meaning without quotes and escapes; of a time in microseconds since 1970
     */
    record Written(String text, String meaning) {
        String sql(Kind kind) {
            return switch (kind) {
                case TEXT, KEYWORD -> literal(meaning);
                case BIGINT -> "CAST(%s AS decimal(38, 3))".formatted(literal(meaning));
                case DOUBLE -> "DOUBLE " + literal(meaning);
                case BOOLEAN -> meaning;
                case TIME -> RandomQuestionTimes.sql(Long.parseLong(meaning));
            };
        }
    }

    /** One value. */
    record Exact(Written value) implements WantedValue {
        @Override
        public String text() {
            return value.text();
        }

        @Override
        public String sql(AskedColumn column) {
            return switch (column.kind()) {
                case TEXT -> TokenPattern.sql(column.sql(), value.meaning(), false);
                case KEYWORD ->
                    countsCase(value.meaning())
                            ? "%s = %s".formatted(column.sql(), literal(value.meaning()))
                            : "lower(%s) = lower(%s)".formatted(column.sql(), literal(value.meaning()));
                case BIGINT, DOUBLE, BOOLEAN, TIME -> "%s = %s".formatted(compared(column), value.sql(column.kind()));
            };
        }
    }

    /** A whole day in UTC. */
    record Day(Written start) implements WantedValue {
        @Override
        public String text() {
            return start.text();
        }

        @Override
        public String sql(AskedColumn column) {
            return "date_trunc('day', %s) = %s".formatted(column.sql(), start.sql(Kind.TIME));
        }
    }

    /** Values that begin like this. */
    record Prefix(Written value) implements WantedValue {
        @Override
        public String text() {
            return value.text() + "*";
        }

        @Override
        public String sql(AskedColumn column) {
            if (column.kind() == Kind.TEXT) {
                return TokenPattern.sql(column.sql(), value.meaning(), true);
            }
            return countsCase(value.meaning())
                    ? "starts_with(%s, %s)".formatted(column.sql(), literal(value.meaning()))
                    : "starts_with(lower(%s), lower(%s))".formatted(column.sql(), literal(value.meaning()));
        }
    }

    /**
     * A value with other wildcards.
     *
     * @param pattern the same as a regular expression
     */
    record Wildcards(String text, String pattern) implements WantedValue {
        @Override
        public String sql(AskedColumn column) {
            return "regexp_like(%s, %s)".formatted(column.sql(), literal("(?s)\\A" + pattern + "\\z"));
        }
    }

    /** Any value. */
    record Present() implements WantedValue {
        @Override
        public String text() {
            return "*";
        }

        @Override
        public String sql(AskedColumn column) {
            return column.sql() + " IS NOT NULL";
        }
    }

    /** A range, whose ends may be open. */
    record Range(Optional<Written> low, boolean lowInclusive, Optional<Written> high, boolean highInclusive)
            implements WantedValue {
        @Override
        public String text() {
            return (lowInclusive ? "[" : "{")
                    + low.map(Written::text).orElse("*")
                    + " TO "
                    + high.map(Written::text).orElse("*")
                    + (highInclusive ? "]" : "}");
        }

        @Override
        public String sql(AskedColumn column) {
            String value = compared(column);
            String above = low.map(
                            end -> "%s %s %s".formatted(value, lowInclusive ? ">=" : ">", end.sql(column.kind())))
                    .orElse(value + " IS NOT NULL");
            String below = high.map(
                            end -> "%s %s %s".formatted(value, highInclusive ? "<=" : "<", end.sql(column.kind())))
                    .orElse("true");
            return "(%s AND %s)".formatted(above, below);
        }
    }

    /**
     * A comparison.
     *
     * @param operator {@code <}, {@code <=}, {@code >} or {@code >=}
     */
    record Compared(String operator, Written value) implements WantedValue {
        @Override
        public String text() {
            return operator + value.text();
        }

        @Override
        public String sql(AskedColumn column) {
            return "%s %s %s".formatted(compared(column), operator, value.sql(column.kind()));
        }
    }

    private static String compared(AskedColumn column) {
        // Numbers of searches may have a fraction or exceed 64 bits
        return column.kind() == Kind.BIGINT ? "CAST(%s AS decimal(38, 3))".formatted(column.sql()) : column.sql();
    }

    private static boolean countsCase(String text) {
        return text.indexOf('"') >= 0 || !TokenPattern.hasToken(text);
    }
}
