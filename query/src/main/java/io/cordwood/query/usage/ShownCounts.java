package io.cordwood.query.usage;

import static com.google.common.collect.ImmutableMap.toImmutableMap;

import java.util.Locale;
import java.util.Map;

/**
 * What of a scan's counts its user is shown. What is read of a topic, and the number of all tables, tell of other
 * tenants.
 */
public enum ShownCounts {
    /** All of them, for operators. */
    ALL,
    /** Those of the user's own LogBlocks and rows. */
    OWN;

    private static final String OF_TOPIC = "hot ";
    private static final String OF_ROWS = "hot rows selected";
    private static final String OF_TABLES = "tables";

    public static ShownCounts to(boolean operator) {
        return operator ? ALL : OWN;
    }

    /** The counts that are shown. */
    public Map<String, Long> counts(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .filter(count -> isShown(count.getKey()))
                .collect(toImmutableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The name of a count for programs: in lower case with underscores. */
    public static String identifier(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
    }

    private boolean isShown(String name) {
        return this == ALL || name.equals(OF_ROWS) || !(name.startsWith(OF_TOPIC) || name.startsWith(OF_TABLES));
    }

    /** The bytes that are shown of those read from a topic. */
    public long bytes(long read) {
        return this == ALL ? read : 0;
    }
}
