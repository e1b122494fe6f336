package io.cordwood.options;

/** A whole number from 1. Immutable, thread-safe. */
public final class Positive extends WholeNumber {
    Positive() {
        super(1, Integer.MAX_VALUE);
    }
}
