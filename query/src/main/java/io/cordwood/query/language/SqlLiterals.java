package io.cordwood.query.language;

import io.cordwood.logblock.schema.ColumnType;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Writes values of predicates as literals of Trino's SQL. Stateless. */
final class SqlLiterals {
    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern(
                    "'TIMESTAMP '''uuuu-MM-dd HH:mm:ss.SSSSSS 'UTC'''", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private SqlLiterals() {}

    static String of(Object value, ColumnType type) {
        return switch (value) {
            case String text -> text(text);
            case Long micros
            when type == ColumnType.TIMESTAMP -> TIMESTAMP.format(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
            case Long number -> number.toString();
            case Boolean flag -> flag.toString();
            case Double number -> number(number);
            default -> throw new IllegalArgumentException("Not a value of a predicate: " + value);
        };
    }

    static String text(String text) {
        return "'%s'".formatted(text.replace("'", "''"));
    }

    /** Without the type, Trino would read it as a decimal. */
    private static String number(double number) {
        if (Double.isInfinite(number)) {
            return number > 0 ? "infinity()" : "-infinity()";
        }
        return "DOUBLE '%s'".formatted(number);
    }
}
