package io.cordwood.ingest.build;

import io.cordwood.catalog.ColumnDefinition;
import io.cordwood.catalog.NewTable;
import io.cordwood.catalog.OffsetRange;
import io.cordwood.ingest.Lake;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the tables of tenants that arrive, beside the task thread, so that queries know the tenant and its columns before
 * its first flush. Only a help: a flush makes sure of table and columns by itself. Used by the task thread only.
 */
final class ArrivingTenants implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ArrivingTenants.class);
    private static final int BATCH = 100;

    private record Arrival(String stream, String tenantId) {}

    private final Lake lake;
    private final FirstColumns firstColumns;
    private final ExecutorService thread;
    private final Map<Arrival, TenantBuffer> waiting = new LinkedHashMap<>();
    private CompletableFuture<Void> running = CompletableFuture.completedFuture(null);

    ArrivingTenants(Lake lake, BuildOptions options, String name) {
        this.lake = lake;
        this.firstColumns = new FirstColumns(options.policy(), options.columns());
        this.thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name(name + "-arriving-tenants").daemon().factory());
    }

    /** Rows of a tenant came that had none here. */
    void arrived(TenantBuffer tenant) {
        waiting.put(new Arrival(tenant.partition().partition().stream(), tenant.tenantId()), tenant);
    }

    /** Begins to make tables for those that came, unless it is still at it. */
    void makeTables() {
        if (waiting.isEmpty() || !running.isDone()) {
            return;
        }
        Map<String, Map<String, NewTable>> byStream = new HashMap<>();
        List<Arrival> batch = waiting.keySet().stream().limit(BATCH).toList();
        for (Arrival arrival : batch) {
            TenantBuffer tenant = waiting.remove(arrival);
            if (!tenant.hasRows()) {
                continue; // A flush has made the table.
            }
            byStream.computeIfAbsent(arrival.stream(), any -> new LinkedHashMap<>())
                    .put(arrival.tenantId(), table(arrival.stream(), tenant));
        }
        running = CompletableFuture.runAsync(() -> byStream.forEach(this::makeTables), thread);
    }

    private NewTable table(String stream, TenantBuffer tenant) {
        PartitionBuffers partition = tenant.partition();
        OffsetRange rows = new OffsetRange(partition.partition().id(), tenant.firstOffset(), partition.position());
        return new NewTable(columns(stream, tenant), rows);
    }

    private List<ColumnDefinition> columns(String stream, TenantBuffer tenant) {
        List<ColumnDefinition> columns = new ArrayList<>(firstColumns.declared(stream));
        // Columns are given to members as they come: if first rows are elsewhere, the flush that writes them adds
        // theirs.
        if (tenant.beginsWithFirstRow()) {
            columns.addAll(firstColumns.needed(stream, List.of(tenant.buffer())));
        }
        return columns;
    }

    private void makeTables(String stream, Map<String, NewTable> tenants) {
        try {
            Map<String, String> failures = lake.makeTables(stream, tenants);
            if (!failures.isEmpty()) {
                LOG.warn("Tables of tenants that arrived are made with their first flush: {}", failures);
            }
        } catch (RuntimeException e) {
            LOG.warn("Tables of {} tenants that arrived are made with their first flush", tenants.size(), e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
