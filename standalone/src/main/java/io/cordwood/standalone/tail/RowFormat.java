package io.cordwood.standalone.tail;

/** How a row is printed. Implementations are thread-safe. */
public interface RowFormat {
    /** Appends the row as one line, its end included. */
    void append(TailRow row, StringBuilder line);
}
