package io.cordwood.ingest.build;

import io.cordwood.catalog.ColumnDefinition;
import io.cordwood.catalog.TableSchemas;
import io.cordwood.logblock.LogBlockSchema;
import io.cordwood.record.DecodingPolicy;
import io.cordwood.record.NewColumn;
import io.cordwood.record.RowAssembler;
import io.cordwood.record.RowBuffer;
import java.util.List;
import java.util.Map;

/** The columns that a tenant's table is made with. Thread-safe. */
record FirstColumns(DecodingPolicy policy, DeclaredColumns columns) {
    private static final LogBlockSchema BASE = TableSchemas.logBlockSchema(TableSchemas.baseSchema(), Map.of());

    /** Those that are declared for the stream. */
    List<ColumnDefinition> declared(String stream) {
        return columns.definitions(stream, policy.textColumns(stream));
    }

    /** Those that rows need besides the ones that every table has. */
    List<ColumnDefinition> needed(String stream, List<RowBuffer> rows) {
        return needed(stream, rows, 0);
    }

    /** The same for the rows from an offset on. */
    List<ColumnDefinition> needed(String stream, List<RowBuffer> rows, long fromOffset) {
        return definitions(new RowAssembler(policy, stream).missingColumns(BASE, rows, fromOffset));
    }

    static List<ColumnDefinition> definitions(List<NewColumn> columns) {
        return columns.stream()
                .map(column -> new ColumnDefinition(column.name(), column.type(), column.index()))
                .toList();
    }
}
