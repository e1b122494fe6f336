package io.cordwood.ingest.builder;

import io.cordwood.catalog.protocol.EnsuredTable;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.protocol.TableRequest;
import io.cordwood.catalog.table.ColumnDefinition;
import io.cordwood.catalog.table.OffsetRange;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.record.assemble.NewColumn;
import io.cordwood.record.buffer.ColumnNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The table and columns that rows of one tenant and partition need, found step by step by requests to the catalog. Used
 * by flushes, and by the declaration of columns ahead of them. Not thread-safe.
 *
 * <p>Creates nothing for unneeded rows: they are already in the table, or were deleted with the tenant.
 */
final class TableNeeds {
    /** The rows that need the table. */
    @FunctionalInterface
    interface Rows {
        /** The columns that a table lacks for the rows of records from an offset on, in order of first appearance. */
        List<NewColumn> missingColumns(LogBlockSchema table, long fromOffset);
    }

    private final String tenantId;
    private final PartitionId partition;
    private final List<ColumnDefinition> declared;
    private final Rows rows;
    private final long to;
    private final Set<ColumnDefinition> asked = new HashSet<>();
    private long from;
    private List<ColumnDefinition> columns;
    private Optional<LoadedTable> table = Optional.empty();
    private boolean met;

    /**
     * The needs of rows in {@code [from, to)}.
     *
     * @param declared columns that every table of the stream has
     */
    TableNeeds(String tenantId, PartitionId partition, List<ColumnDefinition> declared, Rows rows, long from, long to) {
        this.tenantId = tenantId;
        this.partition = partition;
        this.declared = declared;
        this.columns = declared;
        this.rows = rows;
        this.from = from;
        this.to = to;
        this.met = from >= to;
    }

    /** Whether no request is left. */
    boolean areMet() {
        return met;
    }

    /** The next request. */
    TableRequest next() {
        List<NewColumn> ofNewTable = rows.missingColumns(newTable(), from);
        return new TableRequest(tenantId, columns, definitions(ofNewTable), new OffsetRange(partition, from, to));
    }

    /** A table with the declared columns alone. */
    private LogBlockSchema newTable() {
        List<Column> all = new ArrayList<>(
                TableSchemas.logBlockSchema(TableSchemas.baseSchema(), Map.of()).columns());
        int fieldId = TableSchemas.baseSchema().highestFieldId();
        for (ColumnDefinition column : declared) {
            fieldId++;
            all.add(new Column(column.name(), fieldId, column.type(), column.index(), false, 0, 0));
        }
        return new LogBlockSchema(all);
    }

    /** Takes the response to the last request. */
    void answered(EnsuredTable ensured) {
        table = ensured.table();
        from = Math.max(
                from, table.map(found -> found.offsets().offset(partition)).orElseGet(ensured::floor));
        if (from >= to) {
            table = Optional.empty();
            met = true;
        } else if (table.isEmpty()) {
            columns = declared;
        } else {
            columns = definitions(rows.missingColumns(table.get().schema(), from));
            // Columns that were requested and are still missing are unavailable: their values go to attributes.
            met = !asked.addAll(columns);
        }
    }

    /** The table once the needs are met; empty if none of the rows is needed. */
    Optional<LoadedTable> table() {
        return table;
    }

    private static List<ColumnDefinition> definitions(List<NewColumn> columns) {
        List<ColumnDefinition> definitions = new ArrayList<>();
        for (NewColumn column : columns) {
            if (column.twin()) {
                // The catalog accepts a twin only together with its bigint column.
                definitions.add(ColumnDefinition.of(ColumnNames.twinOf(column.name()), ColumnType.BIGINT));
            }
            definitions.add(new ColumnDefinition(column.name(), column.type(), column.index()));
        }
        return definitions;
    }
}
