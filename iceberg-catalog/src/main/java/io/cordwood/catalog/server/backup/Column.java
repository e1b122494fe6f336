package io.cordwood.catalog.server.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A column of a table of the database. Immutable.
 *
 * @param name its name in lower case
 * @param kind what its values are in every database
 */
record Column(String name, Kind kind) {
    /** What the database's types have in common. */
    enum Kind {
        TEXT(Types.VARCHAR),
        NUMBER(Types.BIGINT),
        FLAG(Types.BOOLEAN);

        private final int sqlType;

        Kind(int sqlType) {
            this.sqlType = sqlType;
        }

        private static Kind of(String typeName) {
            String type = typeName.toUpperCase(Locale.ROOT);
            if (type.contains("BOOL")) {
                return FLAG;
            }
            return type.contains("INT") ? NUMBER : TEXT;
        }
    }

    /** The columns of a table, in its order. */
    static List<Column> of(Connection connection, String table) throws SQLException {
        List<Column> columns = new ArrayList<>();
        try (ResultSet found = connection.getMetaData().getColumns(null, connection.getSchema(), table, null)) {
            while (found.next()) {
                // The name is a pattern in which an underscore stands for any letter
                if (found.getString("TABLE_NAME").equals(table)) {
                    columns.add(new Column(
                            found.getString("COLUMN_NAME").toLowerCase(Locale.ROOT),
                            Kind.of(found.getString("TYPE_NAME"))));
                }
            }
        }
        return columns;
    }

    /** Appends the value of a row to a JSON array. */
    void read(ResultSet row, int index, ArrayNode values) throws SQLException {
        switch (kind) {
            case TEXT -> values.add(row.getString(index));
            case NUMBER -> {
                long number = row.getLong(index);
                values.add(row.wasNull() ? null : (Long) number);
            }
            case FLAG -> {
                boolean flag = row.getBoolean(index);
                values.add(row.wasNull() ? null : (Boolean) flag);
            }
        }
    }

    /** Sets a parameter to a value that {@link #read} wrote. */
    void write(JsonNode value, PreparedStatement statement, int index) throws SQLException {
        if (value.isNull()) {
            statement.setNull(index, kind.sqlType);
            return;
        }
        switch (kind) {
            case TEXT -> statement.setString(index, value.textValue());
            case NUMBER -> statement.setLong(index, value.longValue());
            case FLAG -> statement.setBoolean(index, value.booleanValue());
        }
    }
}
