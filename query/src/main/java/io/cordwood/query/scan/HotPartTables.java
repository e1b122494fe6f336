package io.cordwood.query.scan;

import io.cordwood.catalog.protocol.Pointers.TablePointer;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.hot.HotLogBlock;
import io.cordwood.hot.HotTable;
import io.cordwood.query.binding.ScanBindings;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.plan.HotPart;
import io.cordwood.query.plan.ScannedLogBlock;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.table.TableVersion;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The tables of a part of the hot rows, each loaded when the first of its rows is read. Not thread-safe. */
final class HotPartTables {
    /** A requested table with its binding. */
    private record BoundTable(HotTable table, TableBinding binding) {}

    private final HotPart part;
    private final QueryCatalog catalog;
    private final Predicate<String> wantsTenant;
    private final ScanBindings bindings;
    private final Map<String, HotPart.Table> tables = new HashMap<>();
    private final Map<String, Optional<BoundTable>> known = new HashMap<>();

    /** @param wantsTenant whether the scan reads rows of a tenant that is not among the part's tables */
    HotPartTables(HotPart part, QueryCatalog catalog, Predicate<String> wantsTenant) {
        this.part = part;
        this.catalog = catalog;
        this.wantsTenant = wantsTenant;
        this.bindings = part.isOfAllTenants()
                ? ScanBindings.ofAllTenants(ScanBindings.HOT, part.shown())
                : ScanBindings.ofTenant(ScanBindings.HOT);
        part.tables().forEach(table -> tables.put(table.tenantId(), table));
    }

    /** The table of the tenant; empty if the scan does not read its rows. */
    Optional<HotTable> find(String tenantId) {
        return known.computeIfAbsent(tenantId, this::load).map(BoundTable::table);
    }

    private Optional<BoundTable> load(String tenantId) {
        Optional<HotPart.Table> table = Optional.ofNullable(tables.get(tenantId));
        if (table.isEmpty() && !wantsTenant.test(tenantId)) {
            return Optional.empty();
        }
        TableVersion version = table.flatMap(HotPart.Table::metadataLocation)
                .map(location -> catalog.load(
                        part.stream(), new TablePointer(tenantId, table.get().namespace(), location)))
                .orElseGet(() -> TableVersion.withoutTable(tenantId, part.stream()));
        TableOffsets floor =
                table.flatMap(HotPart.Table::floors).map(TableOffsets::fromJson).orElse(TableOffsets.NONE);
        return Optional.of(new BoundTable(
                new HotTable(
                        tenantId,
                        version.schemaVersion(),
                        version.columns().schema(),
                        version.offsets().max(floor)),
                bindings.bind(version)));
    }

    /** Describes the LogBlock for its reader. */
    ScannedLogBlock describe(HotLogBlock logBlock) {
        return new ScannedLogBlock(
                logBlock.name(),
                logBlock.sizeInBytes(),
                logBlock.rowCount(),
                logBlock.time().fromMicros(),
                logBlock.time().toMicros(),
                known.get(logBlock.tenantId()).orElseThrow().binding());
    }
}
