package io.cordwood.catalog.tenant;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The rules for names of streams. A stream is a Kafka topic and, for each tenant, a table of the same name. SQL finds
 * tables by lower-case names, regardless of the case in a statement. So a topic with capitals in its name cannot be a
 * stream. Stateless, thread-safe.
 */
public final class StreamNames {
    private static final Pattern TOPIC = Pattern.compile("(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,249}");

    private StreamNames() {}

    /**
     * Returns the name if a stream can have it.
     *
     * @throws IllegalArgumentException with a message for the user, if no stream can
     */
    public static String checked(String name) {
        String lowerCase = checkedTopic(name).toLowerCase(Locale.ROOT);
        if (!lowerCase.equals(name)) {
            throw new IllegalArgumentException(
                    "'%s' cannot be the name of a stream: SQL finds tables by names in lower case; ship to a topic '%s'"
                            .formatted(name, lowerCase));
        }
        return name;
    }

    /**
     * Returns the name if a topic can have it. Tables that belong to no stream may also have such names.
     *
     * @throws IllegalArgumentException with a message for the user, if no topic can
     */
    public static String checkedTopic(String name) {
        if (!TOPIC.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'%s' cannot be the name of a stream: 1 to 249 of letters, digits, '.', '_' and '-', but not '.' or '..'"
                            .formatted(name));
        }
        return name;
    }
}
