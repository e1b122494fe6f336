package io.cordwood.gateway.redact;

import java.util.List;

/** Finds sensitive values of one kind in text, in time in proportion to it. Thread-safe. */
interface Detector {
    /** What stands in the place of a value, within {@code [redacted:…]}. */
    String name();

    /**
     * Finds all values, in their order, without overlaps.
     *
     * @param data UTF-8; other bytes are parts of no value
     */
    List<Match> matches(byte[] data, int from, int to);
}
