package io.cordwood.options;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/**
 * Options given as {@code NAME=VALUE}, by name without dashes, such as those that {@code up} passes on to a component.
 * Stateless, thread-safe.
 */
public final class NamedValues {
    private NamedValues() {}

    /**
     * Sets the options of a picocli mixin, and their defaults. An option without a converter of its own takes any text.
     *
     * @return the mixin
     * @throws IllegalArgumentException if there is no option of such a name, or a value is refused, with a message for
     *     the user
     */
    public static <T> T set(T mixin, Map<String, String> values) {
        CommandSpec options = CommandSpec.forAnnotatedObject(mixin);
        new TreeMap<>(values).forEach((name, value) -> check(options, name, value));
        new CommandLine(options).parseArgs(arguments(values).toArray(String[]::new));
        return mixin;
    }

    private static void check(CommandSpec options, String name, String value) {
        OptionSpec option = options.findOption("--" + name);
        if (option == null) {
            throw new IllegalArgumentException("there is no option " + name);
        }
        if (option.converters().length == 0) {
            return;
        }
        try {
            option.converters()[0].convert(value);
        } catch (TypeConversionException e) {
            throw new IllegalArgumentException("%s: %s".formatted(name, e.getMessage()), e);
        } catch (Exception e) {
            throw new IllegalStateException("Cannot check option " + name, e);
        }
    }

    /** The same as arguments of a command line, ordered by name. */
    public static List<String> arguments(Map<String, String> values) {
        return new TreeMap<>(values)
                .entrySet().stream()
                        .flatMap(value -> Stream.of("--" + value.getKey(), value.getValue()))
                        .toList();
    }
}
