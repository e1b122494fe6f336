package io.cordwood.trino;

import static io.cordwood.trino.CordwoodErrorCode.CORDWOOD_INVALID_METADATA;

import io.cordwood.catalog.Pointers;
import io.cordwood.catalog.Pointers.TablePointer;
import io.trino.spi.TrinoException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What one transaction sees: for each table the metadata pointer that was current when the transaction first asked.
 * Thread-safe.
 *
 * <p>The order is that of the offsets protocol: archived-through W, then the pointers (one call gives both), and the end
 * offsets of the partitions later, when splits are planned. A pointer that is read after another one's W is no older
 * than it, so all tables of a query hold at least the rows below every W that was read.
 */
final class QueryVersion {
    private record TableKey(String tenantId, String stream) {}

    private final CordwoodCatalog catalog;
    private final Map<TableKey, Optional<TableVersion>> tables = new HashMap<>();
    private final Set<TableKey> unreadable = new HashSet<>();
    private final Map<String, Pointers> streams = new HashMap<>();

    private int references;

    QueryVersion(CordwoodCatalog catalog) {
        this.catalog = catalog;
    }

    /** Notes that the transaction refers to a table once more. */
    synchronized void addReference() {
        references++;
    }

    /** Whether it refers to one table, once: then nothing of ours is joined. */
    synchronized boolean refersToOneTable() {
        return references == 1;
    }

    /** The table of a tenant; empty if there is no such tenant or stream. */
    synchronized Optional<TableVersion> table(String tenantId, String stream) {
        TableKey key = new TableKey(tenantId, stream);
        Optional<TableVersion> known = tables.get(key);
        if (known == null) {
            known = load(tenantId, stream);
            tables.put(key, known);
        }
        return known;
    }

    private Optional<TableVersion> load(String tenantId, String stream) {
        if (!catalog.streams().contains(stream)) {
            return Optional.empty();
        }
        Pointers all = streams.get(stream);
        Optional<TablePointer> pointer =
                (all == null ? catalog.pointers(stream, List.of(tenantId)) : all).table(tenantId);
        if (pointer.isPresent()) {
            return pointer.map(found -> catalog.load(stream, found));
        }
        return catalog.tenantExists(tenantId)
                ? Optional.of(TableVersion.withoutTable(tenantId, stream))
                : Optional.empty();
    }

    /** Where the stream's tables of all tenants stand, ordered by tenant id. */
    synchronized List<TablePointer> pointers(String stream) {
        return streams.computeIfAbsent(stream, catalog::pointers).tables();
    }

    /**
     * The stream's tables of some tenants, ordered by tenant id.
     *
     * @throws TrinoException CORDWOOD_INVALID_METADATA if one cannot be read; it does not say which, since whoever asks
     *     need not know of that tenant
     */
    synchronized List<TableVersion> tables(String stream, Predicate<String> tenants) {
        List<TableVersion> readable = readableTables(stream, tenants);
        long wanted = pointers(stream).stream()
                .filter(pointer -> tenants.test(pointer.tenantId()))
                .count();
        if (readable.size() < wanted) {
            throw new TrinoException(
                    CORDWOOD_INVALID_METADATA,
                    "Cannot read the metadata of %d of %d tables of stream '%s': the server's log says which and why"
                            .formatted(wanted - readable.size(), wanted, stream));
        }
        return readable;
    }

    /** Those of the stream's tables of some tenants that can be read, ordered by tenant id. */
    synchronized List<TableVersion> readableTables(String stream, Predicate<String> tenants) {
        List<TablePointer> wanted = pointers(stream).stream()
                .filter(pointer -> tenants.test(pointer.tenantId()))
                .toList();
        List<TablePointer> missing = wanted.stream()
                .filter(pointer -> !unreadable.contains(key(stream, pointer)))
                .filter(pointer -> known(stream, pointer).isEmpty())
                .toList();
        for (TableVersion table : catalog.loadReadable(stream, missing)) {
            tables.put(new TableKey(table.tenantId(), stream), Optional.of(table));
        }
        missing.stream()
                .filter(pointer -> known(stream, pointer).isEmpty())
                .forEach(pointer -> unreadable.add(key(stream, pointer)));
        return wanted.stream()
                .flatMap(pointer -> known(stream, pointer).stream())
                .toList();
    }

    private Optional<TableVersion> known(String stream, TablePointer pointer) {
        return tables.getOrDefault(key(stream, pointer), Optional.empty());
    }

    private static TableKey key(String stream, TablePointer pointer) {
        return new TableKey(pointer.tenantId(), stream);
    }
}
