package io.cordwood.standalone.sql;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cordwood.standalone.error.CordwoodException;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Prints the rows of a query result, as a table for people or as one JSON object per line for programs. */
public final class ResultPrinter {
    private static final Set<Integer> NUMBERS = Set.of(
            Types.TINYINT,
            Types.SMALLINT,
            Types.INTEGER,
            Types.BIGINT,
            Types.REAL,
            Types.FLOAT,
            Types.DOUBLE,
            Types.DECIMAL,
            Types.NUMERIC);
    private static final ObjectMapper JSON = new ObjectMapper();

    private ResultPrinter() {}

    /** Prints a table and returns the number of rows. */
    public static long table(ResultSet rows, PrintWriter out) throws SQLException {
        List<TextTable.Column> columns = columns(rows.getMetaData());
        TextTable table = new TextTable(out, columns);
        long count = 0;
        while (rows.next()) {
            table.add(cells(rows, columns.size()));
            count++;
        }
        table.finish();
        return count;
    }

    /** Prints one JSON object per line and returns the number of rows. */
    public static long json(ResultSet rows, PrintWriter out) throws SQLException {
        ResultSetMetaData metaData = rows.getMetaData();
        long count = 0;
        try {
            JsonGenerator generator = JSON.getFactory()
                    .createGenerator(out)
                    .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM)
                    .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            generator.setRootValueSeparator(null);
            while (rows.next()) {
                generator.writeStartObject();
                for (int i = 1; i <= metaData.getColumnCount(); i++) {
                    generator.writeFieldName(metaData.getColumnLabel(i));
                    generator.writePOJO(jsonValue(rows, i));
                }
                generator.writeEndObject();
                generator.writeRaw('\n');
                count++;
            }
            generator.flush();
        } catch (IOException e) {
            throw new CordwoodException("cannot print the rows: " + e.getMessage(), e);
        }
        out.flush();
        return count;
    }

    static List<TextTable.Column> columns(ResultSetMetaData metaData) throws SQLException {
        List<TextTable.Column> columns = new ArrayList<>();
        for (int i = 1; i <= metaData.getColumnCount(); i++) {
            columns.add(new TextTable.Column(metaData.getColumnLabel(i), NUMBERS.contains(metaData.getColumnType(i))));
        }
        return columns;
    }

    static List<String> cells(ResultSet rows, int columns) throws SQLException {
        List<String> cells = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
            cells.add(cell(rows, i));
        }
        return cells;
    }

    private static String cell(ResultSet rows, int column) throws SQLException {
        Object value = rows.getObject(column);
        return switch (value) {
            case null -> "NULL";
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            case BigDecimal decimal -> decimal.toPlainString();
            default -> rows.getString(column);
        };
    }

    private static Object jsonValue(ResultSet rows, int column) throws SQLException {
        Object value = rows.getObject(column);
        return switch (value) {
            case null -> null;
            case Double number when !Double.isFinite(number) -> number.toString();
            case Float number when !Float.isFinite(number) -> number.toString();
            case Number number -> number;
            case Boolean truth -> truth;
            case Map<?, ?> map -> map;
            case Array array -> array.getArray();
            case byte[] bytes -> HexFormat.of().formatHex(bytes);
            default -> rows.getString(column);
        };
    }
}
