package io.cordwood.query.scan;

import io.cordwood.catalog.protocol.Pointers.TablePointer;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.hot.HotLogBlock;
import io.cordwood.hot.HotTable;
import io.cordwood.query.binding.ScanBindings;
import io.cordwood.query.binding.ScannedLogBlock;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.plan.HotPart;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.table.TableVersion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The tables of a part of the hot tail, each looked at when the first of its rows is met. Not thread-safe. */
final class HotPartTables {
    /** A table whose rows are wanted, and what the columns of the scan are in it. */
    private record ScanDirection(HotTable table, TableBinding binding) {}

    private final HotPart part;
    private final QueryCatalog catalog;
    private final Predicate<String> wantsTenant;
    private final ScanBindings bindings;
    private final Map<String, HotPart.Table> tables = new HashMap<>();
    private final Map<String, Optional<ScanDirection>> known = new HashMap<>();

    /** @param wantsTenant whether rows of a tenant that is not among the part's tables are wanted */
    HotPartTables(HotPart part, QueryCatalog catalog, Predicate<String> wantsTenant) {
        this.part = part;
        this.catalog = catalog;
        this.wantsTenant = wantsTenant;
        this.bindings = part.isOfAllTenants()
                ? ScanBindings.ofAllTenants(ScanBindings.HOT, part.shown())
                : ScanBindings.ofTenant(ScanBindings.HOT);
        part.tables().forEach(table -> tables.put(table.tenantId(), table));
    }

    /** What rows of the tenant are decoded for; empty if they are not wanted. */
    Optional<HotTable> find(String tenantId) {
        return known.computeIfAbsent(tenantId, this::look).map(ScanDirection::table);
    }

    private Optional<ScanDirection> look(String tenantId) {
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
        return Optional.of(new ScanDirection(
                new HotTable(
                        tenantId,
                        version.schemaVersion(),
                        version.columns().schema(),
                        version.offsets().max(floor)),
                bindings.bind(version)));
    }

    /** The LogBlock as readers know it. */
    ScannedLogBlock describe(HotLogBlock logBlock) {
        return new ScannedLogBlock(
                logBlock.name(),
                logBlock.sizeInBytes(),
                logBlock.rowCount(),
                logBlock.time().fromMicros(),
                logBlock.time().toMicros(),
                List.of(),
                known.get(logBlock.tenantId()).orElseThrow().binding());
    }
}
