package io.cordwood.query.language;

import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.query.table.QueryColumn;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Columns of every type. */
final class SampleColumns {
    static final Instant NOW = Instant.parse("2026-01-02T03:04:05.000006Z");

    static final Map<String, QueryColumn> COLUMNS = new LinkedHashMap<>();

    static {
        for (QueryColumn column : List.of(
                QueryColumn.TENANT_ID,
                QueryColumn.TS,
                text("message"),
                text("error.stack"),
                keyword("level"),
                keyword("host"),
                keyword("http.path"),
                keyword("odd \"name"),
                keyword("order"),
                QueryColumn.stored("status", ColumnType.BIGINT, IndexKind.NONE),
                QueryColumn.stored("took", ColumnType.DOUBLE, IndexKind.NONE),
                QueryColumn.stored("fail", ColumnType.BOOLEAN, IndexKind.NONE),
                QueryColumn.stored("seen", ColumnType.TIMESTAMP, IndexKind.NONE),
                QueryColumn.stored("attributes", ColumnType.MAP, IndexKind.NONE),
                QueryColumn.TIER)) {
            COLUMNS.put(column.name(), column);
        }
    }

    private SampleColumns() {}

    private static QueryColumn text(String name) {
        return QueryColumn.stored(name, ColumnType.VARCHAR, IndexKind.TEXT);
    }

    private static QueryColumn keyword(String name) {
        return QueryColumn.stored(name, ColumnType.VARCHAR, IndexKind.KEYWORD);
    }

    static BoundSearch bind(String search) {
        return new SearchBinder(COLUMNS, NOW).bind(SearchParser.parse(search));
    }
}
