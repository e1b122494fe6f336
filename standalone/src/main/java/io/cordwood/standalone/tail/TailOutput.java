package io.cordwood.standalone.tail;

import java.util.List;

/** Prints rows in whole lines. Thread-safe. */
public final class TailOutput {
    private static final int BATCH_CHARACTERS = 32 << 10;

    private final LineOutput out;
    private final RowFormat format;

    public TailOutput(LineOutput out, RowFormat format) {
        this.out = out;
        this.format = format;
    }

    /** Prints rows. Returns false if the output is closed. */
    boolean print(List<TailRow> rows) {
        StringBuilder lines = new StringBuilder();
        for (TailRow row : rows) {
            format.append(row, lines);
            if (lines.length() >= BATCH_CHARACTERS) {
                if (!out.print(lines)) {
                    return false;
                }
                lines.setLength(0);
            }
        }
        return out.print(lines);
    }
}
