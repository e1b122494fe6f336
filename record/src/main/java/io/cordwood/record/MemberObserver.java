package io.cordwood.record;

/**
 * Is told the values of members while records are decoded. Values of a record that turns out to have no rows may be
 * among them, those that can only be in {@code attributes} are not. Used by the decoding thread.
 */
public interface MemberObserver {
    /**
     * A string, or the text of an array.
     *
     * @param column name of the column that the member has if it has one; the same object each time, mostly
     * @param tokenised whether that is a text column by its name
     */
    void text(String column, boolean tokenised, byte[] utf8, int from, int to);

    /** An integer of 64 bits. */
    void integer(String column, long value);

    /** A number that is not one, as written. */
    void number(String column, byte[] ascii, int from, int to);

    void bool(String column, boolean value);
}
