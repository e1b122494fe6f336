package io.cordwood.standalone.tail;

/** The output format of a row. Implementations are thread-safe. */
public interface RowFormat {
    /** Appends the row as one line, its end included. */
    void append(TailRow row, StringBuilder line);
}
