package io.cordwood.catalog.pipeline;

/** Checks of steps. Stateless. */
final class Steps {
    private static final int MAX_COLUMN = 255;

    private Steps() {}

    static void requireColumn(String name) {
        if (name.isBlank() || name.length() > MAX_COLUMN) {
            throw new IllegalArgumentException("The name of a column has 1 to %d characters".formatted(MAX_COLUMN));
        }
    }
}
