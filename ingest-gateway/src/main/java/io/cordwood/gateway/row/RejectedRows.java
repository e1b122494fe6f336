package io.cordwood.gateway.row;

import java.util.ArrayList;
import java.util.List;

/** Rows of a request that nobody can read, and why: of the first ones. Not thread-safe. */
public final class RejectedRows {
    private static final int MAX_ERRORS = 10;

    private final List<RejectedRow> first = new ArrayList<>();
    private long count;

    /**
     * A row that was not taken.
     *
     * @param number its number in the request, from 1
     */
    public record RejectedRow(long number, String why) {}

    public void add(long number, String why) {
        count++;
        if (first.size() < MAX_ERRORS) {
            first.add(new RejectedRow(number, why));
        }
    }

    public long count() {
        return count;
    }

    /** The first ten of them at most. */
    public List<RejectedRow> first() {
        return List.copyOf(first);
    }
}
