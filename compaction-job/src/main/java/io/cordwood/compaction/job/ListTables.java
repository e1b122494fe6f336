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
 * Begins a cycle: asks the catalog, once for each stream, which tables there are, and goes on with tenants that are
 * being deleted. A cycle in which the catalog does not answer is left out.
 */
public final class ListTables extends RichFlatMapFunction<Long, TableVisit> {
    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(ListTables.class);

    /** Clocks that differ by more are not in order. */
    private static final Duration CLOCKS_AGREE = Duration.ofMinutes(1);

    private final CatalogFactory factory;
    private final String[] streams;
    private final String tenantId;
    private final boolean isOnce;
    private transient CatalogClient catalog;

    /**
     * @param tenantId the only tenant to be looked at; null for all
     * @param isOnce whether there is one cycle alone, which must not be left out
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
            goOnWithTenantDeletions();
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

    /** The time by other clocks: one that is ahead must not let anything expire. */
    private ClockReadings time(Instant host) {
        ClockReadings time = catalog.time();
        if (Duration.between(host, time.service()).abs().compareTo(CLOCKS_AGREE) > 0) {
            LOG.warn(
                    "It is {} here and {} by the catalog service; things expire by the earlier time. Set the clocks right",
                    host,
                    time.service());
        }
        return time;
    }

    private static Optional<Integer> boxed(OptionalInt value) {
        return value.isPresent() ? Optional.of(value.getAsInt()) : Optional.empty();
    }

    /** Whoever began with them may have been killed. */
    private void goOnWithTenantDeletions() {
        TenantDeletions deletions = new TenantDeletions(catalog);
        for (TenantDeletion deletion : catalog.tenantDeletions()) {
            try {
                deletions.goOn(deletion);
            } catch (RuntimeException e) {
                LOG.warn("Cannot go on with the deletion of tenant '{}'", deletion.tenantId(), e);
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
