package io.cordwood.standalone.search;

import io.cordwood.standalone.tail.LineOutput;
import java.util.List;

/** Prints rows as text, or as the JSON objects that the service sends. Thread-safe. */
public final class SearchPrinter {
    private static final int BATCH_CHARACTERS = 32 << 10;

    private final LineOutput out;
    private final boolean json;

    public SearchPrinter(LineOutput out, boolean json) {
        this.out = out;
        this.json = json;
    }

    /** Prints rows in this order. Returns false if the output is closed. */
    boolean print(List<SearchRow> rows) {
        StringBuilder lines = new StringBuilder();
        for (SearchRow row : rows) {
            if (json) {
                lines.append(row.json()).append('\n');
            } else {
                row.appendText(lines);
            }
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
