package io.cordwood.standalone.sql;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * A text table: cells are padded to the width of their column, and numbers are right-aligned. Rows are printed in
 * batches, so that memory stays bounded. The first batch sets the widths, and a wider later cell extends its column.
 * Not thread-safe.
 */
public final class TextTable {
    private static final int BATCH = 1_000;

    private final PrintWriter out;
    private final List<Column> columns;
    private final int[] widths;
    private final List<List<String>> batch = new ArrayList<>();
    private boolean headed;

    /**
     * A column of the table.
     *
     * @param name its heading
     * @param right whether its cells are right-aligned, as numbers are
     */
    public record Column(String name, boolean right) {}

    public TextTable(PrintWriter out, List<Column> columns) {
        this.out = out;
        this.columns = List.copyOf(columns);
        widths = columns.stream().mapToInt(column -> width(column.name())).toArray();
    }

    /** Adds a row; one cell for each column. */
    public void add(List<String> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException(cells.size() + " cells in a table of " + columns.size() + " columns");
        }
        batch.add(cells.stream().map(TextTable::printable).toList());
        if (batch.size() == BATCH) {
            print();
        }
    }

    /** Prints the remaining rows. */
    public void finish() {
        print();
        out.flush();
    }

    private void print() {
        for (List<String> row : batch) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        }
        if (!headed) {
            headed = true;
            printRow(columns.stream().map(Column::name).toList());
            printRule();
        }
        batch.forEach(this::printRow);
        batch.clear();
    }

    private void printRow(List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String padding = " ".repeat(Math.max(0, widths[i] - width(cells.get(i))));
            line.append(i == 0 ? " " : " | ");
            line.append(columns.get(i).right() ? padding + cells.get(i) : cells.get(i) + padding);
        }
        out.println(line.toString().stripTrailing());
    }

    private void printRule() {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(i == 0 ? "-" : "-+-").append("-".repeat(widths[i]));
        }
        out.println(line.append('-'));
    }

    /** Escapes control characters, which would break the table or the terminal. */
    private static String printable(String cell) {
        if (cell.codePoints().noneMatch(Character::isISOControl)) {
            return cell;
        }
        StringBuilder text = new StringBuilder();
        cell.codePoints().forEach(c -> {
            switch (c) {
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (Character.isISOControl(c)) {
                        text.append("\\u%04x".formatted(c));
                    } else {
                        text.appendCodePoint(c);
                    }
                }
            }
        });
        return text.toString();
    }

    /** Columns of a terminal; East Asian wide characters take two, combining marks none. */
    private static int width(String text) {
        return text.codePoints().map(TextTable::width).sum();
    }

    private static int width(int codePoint) {
        int type = Character.getType(codePoint);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        return switch (Character.UnicodeScript.of(codePoint)) {
            case HAN, HIRAGANA, KATAKANA, HANGUL, BOPOMOFO -> 2;
            default -> 1;
        };
    }
}
