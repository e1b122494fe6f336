package io.cordwood.gateway.redact;

/**
 * Where a sensitive value is in a text. Immutable.
 *
 * @param from its first byte; -1 if there is none
 * @param to the byte after it
 */
record Match(int from, int to) {
    static final Match NONE = new Match(-1, -1);

    Match nonEmpty() {
        return from < to ? this : NONE;
    }

    boolean isFound() {
        return from >= 0;
    }
}
