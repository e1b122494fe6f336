package io.cordwood.compaction.job;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.delete.Deletion;
import io.cordwood.catalog.maintenance.TenantDeletions;
import io.cordwood.catalog.protocol.ClockReadings;
import io.cordwood.catalog.protocol.Pointers.TablePointer;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.tenant.TenantDeletion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start of a cycle: lists the tables, with one request to the catalog per stream, and continues pending deletions
 * of tenants. A cycle is skipped if the catalog does not answer.
 */
public final class ListTables extends RichFlatMapFunction<Long, TableVisit> {
    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(ListTables.class);

    /** Clocks that differ by more are not synchronised. */
    private static final Duration CLOCKS_AGREE = Duration.ofMinutes(1);

    private final CatalogFactory factory;
    private final String[] streams;
    private final String tenantId;
    private final boolean isOnce;
    private transient CatalogClient catalog;

    /**
     * @param tenantId the only tenant to be maintained; null for all
     * @param isOnce whether there is only one cycle, which must not be skipped
     */
    public ListTables(CatalogFactory factory, List<String> streams, Optional<String> tenantId, boolean isOnce) {
        this.factory = factory;
        this.streams = streams.toArray(String[]::new);
        this.tenantId = tenantId.orElse(null);
        this.isOnce = isOnce;
    }

    @Override
    public void open(OpenContext context) {
        catalog = factory.connect();
    }

    @Override
    public void flatMap(Long cycle, Collector<TableVisit> out) {
        List<TableVisit> visits = new ArrayList<>();
        try {
            continueTenantDeletions();
            Instant host = Instant.now();
            ClockReadings time = time(host);
            Map<String, Tenant> tenants =
                    catalog.tenants().stream().collect(Collectors.toMap(Tenant::id, Function.identity()));
            Set<String> withDeletions = catalog.deletions().stream()
                    .filter(deletion -> deletion.status() != Deletion.Status.GONE)
                    .map(deletion -> deletion.stream() + '/' + deletion.tenantId())
                    .collect(Collectors.toSet());
            for (String stream : streams) {
                for (TablePointer table : tables(stream)) {
                    visits.add(new TableVisit(
                            cycle,
                            0,
                            time.earliestToTheHour(host).toEpochMilli(),
                            time.earliest(host).toEpochMilli(),
                            table.tenantId(),
                            stream,
                            table.namespace(),
                            table.metadataLocation(),
                            Optional.ofNullable(tenants.get(table.tenantId()))
                                    .flatMap(tenant -> boxed(tenant.retentionDays(stream)))
                                    .orElse(0),
                            withDeletions.contains(stream + '/' + table.tenantId())));
                }
            }
        } catch (CatalogException e) {
            if (isOnce) {
                throw e;
            }
            LOG.warn("Cannot list the tables; the next cycle tries again: {}", e.getMessage());
            return;
        }
        for (TableVisit visit : visits) {
            out.collect(visit.of(visits.size()));
        }
    }

    /** Compares the host's clock with others: data must not expire early because one clock is ahead. */
    private ClockReadings time(Instant host) {
        ClockReadings time = catalog.time();
        if (Duration.between(host, time.service()).abs().compareTo(CLOCKS_AGREE) > 0) {
            LOG.warn(
                    "It is {} here and {} by the catalog service; data expires by the earlier time. Synchronise the clocks",
                    host,
                    time.service());
        }
        return time;
    }

    private static Optional<Integer> boxed(OptionalInt value) {
        return value.isPresent() ? Optional.of(value.getAsInt()) : Optional.empty();
    }

    /** The process that started the deletions may have been killed. */
    private void continueTenantDeletions() {
        TenantDeletions deletions = new TenantDeletions(catalog);
        for (TenantDeletion deletion : catalog.tenantDeletions()) {
            try {
                deletions.resume(deletion);
            } catch (RuntimeException e) {
                LOG.warn("Cannot continue the deletion of tenant '{}'", deletion.tenantId(), e);
            }
        }
    }

    private List<TablePointer> tables(String stream) {
        return tenantId == null
                ? catalog.pointers(stream).tables()
                : catalog.pointers(stream, List.of(tenantId)).tables();
    }

    @Override
    public void close() {
        if (catalog != null) {
            catalog.close();
        }
    }
}
