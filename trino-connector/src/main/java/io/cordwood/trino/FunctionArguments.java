package io.cordwood.trino;

import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.spi.TrinoException;
import io.trino.spi.function.table.Argument;
import io.trino.spi.function.table.ScalarArgument;
import io.trino.spi.function.table.ScalarArgumentSpecification;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The arguments of a call of a table function. Immutable.
 *
 * @param function name of the function, for errors
 * @param arguments the arguments by name
 */
record FunctionArguments(String function, Map<String, Argument> arguments) {
    static final String TENANT = "TENANT";
    static final String STREAM = "STREAM";

    /** A text that the caller must give. */
    static ScalarArgumentSpecification required(String name) {
        return ScalarArgumentSpecification.builder().name(name).type(VARCHAR).build();
    }

    /** A text with a default value. */
    static ScalarArgumentSpecification optional(String name, String value) {
        return ScalarArgumentSpecification.builder()
                .name(name)
                .type(VARCHAR)
                .defaultValue(Slices.utf8Slice(value))
                .build();
    }

    /** A text that may be missing. */
    static ScalarArgumentSpecification optional(String name) {
        return ScalarArgumentSpecification.builder()
                .name(name)
                .type(VARCHAR)
                .defaultValue(null)
                .build();
    }

    /** A number with a default value. */
    static ScalarArgumentSpecification optional(String name, long value) {
        return ScalarArgumentSpecification.builder()
                .name(name)
                .type(BIGINT)
                .defaultValue(value)
                .build();
    }

    Optional<String> optionalText(String name) {
        return value(name) == null ? Optional.empty() : Optional.of(text(name));
    }

    String text(String name) {
        if (value(name) instanceof Slice text) {
            return text.toStringUtf8();
        }
        throw invalid(name, "it must not be null");
    }

    /** A number from 1 to a maximum. */
    long count(String name, long max) {
        Object value = value(name);
        if (!(value instanceof Long count) || count <= 0 || count > max) {
            throw invalid(name, "%s is not between 1 and %d".formatted(value, max));
        }
        return count;
    }

    private Object value(String name) {
        return ((ScalarArgument) arguments.get(name)).getValue();
    }

    TrinoException invalid(String name, String why) {
        return new TrinoException(
                INVALID_FUNCTION_ARGUMENT,
                "system.%s: argument %s: %s".formatted(function, name.toLowerCase(Locale.ROOT), why));
    }
}
