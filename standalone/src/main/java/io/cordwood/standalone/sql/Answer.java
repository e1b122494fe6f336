package io.cordwood.standalone.sql;

import java.io.PrintWriter;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A small query result, held as text. Immutable.
 *
 * @param columns its columns
 * @param rows a cell for each column
 */
public record Answer(List<TextTable.Column> columns, List<List<String>> rows) {
    public Answer {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /** Reads all rows. */
    public static Answer read(ResultSet rows) throws SQLException {
        List<TextTable.Column> columns = ResultPrinter.columns(rows.getMetaData());
        List<List<String>> cells = new ArrayList<>();
        while (rows.next()) {
            cells.add(ResultPrinter.cells(rows, columns.size()));
        }
        return new Answer(columns, cells);
    }

    /** The cells of a column, counted from 0. */
    public List<String> column(int index) {
        return rows.stream().map(row -> row.get(index)).toList();
    }

    /** Prints it as a table. */
    public void print(PrintWriter out) {
        TextTable table = new TextTable(out, columns);
        rows.forEach(table::add);
        table.finish();
    }
}
