package io.cordwood.query.binding;

import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.query.snapshot.AcknowledgedRows;
import io.cordwood.query.table.AllTenants;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.query.table.TableVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Maps the SQL columns of a scan to the stored columns of each of its tables, for rows of one tier. Immutable. */
public interface ScanBindings {
    /** Value of {@code $tier} for rows in LogBlocks. */
    String COLD = "cold";

    /** Value of {@code $tier} for rows that are still in Kafka. */
    String HOT = "hot";

    TableBinding bind(TableVersion table);

    /** Bindings of a scan of one tenant's table. */
    static ScanBindings ofTenant(String tier) {
        return table -> new TableBinding(
                constants(table, tier),
                sources(table, table.columns().columns()),
                table.expiredBeforeMicros(),
                table.columnNames(),
                Optional.empty());
    }

    /**
     * Bindings of a scan of one tenant's table by a statement that deletes from it.
     *
     * @param below offsets below which the statement sees rows
     */
    static ScanBindings ofDeletion(TableOffsets below) {
        ScanBindings all = ofTenant(COLD);
        return table -> {
            LogBlockSchema schema = table.columns().schema();
            List<Column> identity = AcknowledgedRows.IDENTITY.stream()
                    .map(name -> schema.column(name).orElseThrow())
                    .toList();
            return all.bind(table).limitedTo(AcknowledgedRows.condition(below, table.offsets(), schema), identity);
        };
    }

    /** Bindings of a scan over all tenants that shows these columns. */
    static ScanBindings ofAllTenants(String tier, Map<String, QueryColumn> shown) {
        return table -> {
            Map<String, List<Column>> sources = new HashMap<>(sources(table, shown));
            List<Column> attributes = new ArrayList<>(table.columns().sources(LogBlockSchema.ATTRIBUTES));
            attributes.addAll(AllTenants.overflowColumns(table, shown));
            sources.put(LogBlockSchema.ATTRIBUTES, List.copyOf(attributes));
            return new TableBinding(
                    constants(table, tier),
                    sources,
                    table.expiredBeforeMicros(),
                    table.columnNames(),
                    Optional.empty());
        };
    }

    private static Map<String, String> constants(TableVersion table, String tier) {
        return Map.of(LogBlockSchema.TENANT_ID, table.tenantId(), QueryColumn.TIER_NAME, tier);
    }

    private static Map<String, List<Column>> sources(TableVersion table, Map<String, QueryColumn> shown) {
        Map<String, List<Column>> sources = new HashMap<>();
        shown.forEach((name, handle) -> {
            List<Column> stored = table.columns().sources(name);
            if (!stored.isEmpty() && AllTenants.canShow(stored, handle.type())) {
                sources.put(name, stored);
            }
        });
        return sources;
    }
}
