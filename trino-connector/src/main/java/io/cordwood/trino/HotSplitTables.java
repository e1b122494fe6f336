package io.cordwood.trino;

import io.cordwood.catalog.protocol.Pointers.TablePointer;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.hot.HotLogBlock;
import io.cordwood.hot.HotTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The tables of a hot split, each looked at when the first of its rows is met. Not thread-safe. */
final class HotSplitTables {
    /** A table whose rows are wanted, and what the columns of the scan are in it. */
    private record Wanted(HotTable table, TableBinding binding) {}

    private final CordwoodHotSplit split;
    private final CordwoodCatalog catalog;
    private final Predicate<String> wantsTenant;
    private final ScanBindings bindings;
    private final Map<String, CordwoodHotSplit.Table> tables = new HashMap<>();
    private final Map<String, Optional<Wanted>> known = new HashMap<>();

    /** @param wantsTenant whether rows of a tenant that is not among the split's tables are wanted */
    HotSplitTables(CordwoodHotSplit split, CordwoodCatalog catalog, Predicate<String> wantsTenant) {
        this.split = split;
        this.catalog = catalog;
        this.wantsTenant = wantsTenant;
        this.bindings = split.isOfAllTenants()
                ? ScanBindings.ofAllTenants(ScanBindings.HOT, split.shown())
                : ScanBindings.ofTenant(ScanBindings.HOT);
        split.tables().forEach(table -> tables.put(table.tenantId(), table));
    }

    /** What rows of the tenant are decoded for; empty if they are not wanted. */
    Optional<HotTable> find(String tenantId) {
        return known.computeIfAbsent(tenantId, this::look).map(Wanted::table);
    }

    private Optional<Wanted> look(String tenantId) {
        Optional<CordwoodHotSplit.Table> table = Optional.ofNullable(tables.get(tenantId));
        if (table.isEmpty() && !wantsTenant.test(tenantId)) {
            return Optional.empty();
        }
        TableVersion version = table.flatMap(CordwoodHotSplit.Table::metadataLocation)
                .map(location -> catalog.load(
                        split.stream(), new TablePointer(tenantId, table.get().namespace(), location)))
                .orElseGet(() -> TableVersion.withoutTable(tenantId, split.stream()));
        TableOffsets floor = table.flatMap(CordwoodHotSplit.Table::floors)
                .map(TableOffsets::fromJson)
                .orElse(TableOffsets.NONE);
        return Optional.of(new Wanted(
                new HotTable(
                        tenantId,
                        version.schemaVersion(),
                        version.columns().schema(),
                        version.offsets().max(floor)),
                bindings.bind(version)));
    }

    /** The LogBlock as page sources know it. */
    CordwoodColdSplit describe(HotLogBlock logBlock) {
        return new CordwoodColdSplit(
                logBlock.name(),
                logBlock.sizeInBytes(),
                logBlock.rowCount(),
                logBlock.time().fromMicros(),
                logBlock.time().toMicros(),
                List.of(),
                known.get(logBlock.tenantId()).orElseThrow().binding());
    }
}
