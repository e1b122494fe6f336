package io.cordwood.options;

/** A port to listen on; 0 for a free one. Immutable, thread-safe. */
public final class Port extends WholeNumber {
    Port() {
        super(0, 65_535);
    }
}
