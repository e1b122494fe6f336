package io.cordwood.gateway.otlp;

import java.util.Arrays;

/** Ranges of a request's bytes, in order. Not thread-safe. */
final class Ranges {
    /** One range, as most have: a request may have very many of these. */
    private int[] bounds = new int[2];

    private int length;
    private long bytes;

    /** Takes part of a request. */
    @FunctionalInterface
    interface Visitor {
        void visit(int from, int to);
    }

    /** Adds a range after the others; one that begins where the last one ends makes that one longer. */
    void add(int from, int to) {
        bytes += to - from;
        if (length > 0 && bounds[length - 1] == from) {
            bounds[length - 1] = to;
            return;
        }
        if (length == bounds.length) {
            bounds = Arrays.copyOf(bounds, 2 * length);
        }
        bounds[length++] = from;
        bounds[length++] = to;
    }

    /** Bytes of all ranges. */
    long bytes() {
        return bytes;
    }

    /** Number of ranges. */
    int count() {
        return length / 2;
    }

    void forEach(Visitor visitor) {
        for (int i = 0; i < length; i += 2) {
            visitor.visit(bounds[i], bounds[i + 1]);
        }
    }
}
