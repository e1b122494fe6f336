package io.cordwood.systemtests.lab;

import java.util.Locale;

/** A process of the stack that faults can hit. */
public enum Component {
    FLINK,
    KAFKA,
    CATALOG,
    TRINO,
    REDIS,
    COMPACTION,
    SEARCH;

    /** Its name in the stack. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
