package io.cordwood.record.decode;

import io.cordwood.record.UndecodableRecordException;

/** Receives the lines of a batch that have no row; the other lines have theirs. */
@FunctionalInterface
public interface BadLines {
    /** Ignores them, where only rows matter. */
    BadLines IGNORED = (line, from, to, why) -> {};

    /**
     * Takes a line.
     *
     * @param line its number in the record, from 0; blank lines count
     * @param from where it begins in the record's value
     * @param to where it ends there, without the end of line
     * @param why the reason
     */
    void add(int line, int from, int to, UndecodableRecordException why);
}
