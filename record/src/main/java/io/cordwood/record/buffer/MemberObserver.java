package io.cordwood.record.buffer;

/**
 * An observer of members' values during decoding. It may see values of a record that turns out to have no rows. It does
 * not see values that can only be in {@code attributes}. Used by the decoding thread.
 */
public interface MemberObserver {
    /**
     * A string, or the text of an array.
     *
     * @param column name of the member's column if it has one; mostly the same object each time
     * @param tokenised whether the column is a text column by its name
     */
    void text(String column, boolean tokenised, byte[] utf8, int from, int to);

    /** An integer of 64 bits. */
    void integer(String column, long value);

    /** Any other number, as written. */
    void number(String column, byte[] ascii, int from, int to);

    void bool(String column, boolean value);
}
