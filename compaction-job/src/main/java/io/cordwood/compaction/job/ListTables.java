package io.cordwood.compaction.job;

import io.cordwood.catalog.CatalogClient;
import io.cordwood.catalog.CatalogException;
import io.cordwood.catalog.Pointers.TablePointer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins a cycle: asks the catalog, once for each stream, which tables there are. A cycle in which it does not answer is left
 * out.
 */
public final class ListTables extends RichFlatMapFunction<Long, TableVisit> {
    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(ListTables.class);

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
            for (String stream : streams) {
                for (TablePointer table : tables(stream)) {
                    visits.add(visit(cycle, stream, table));
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

    private static TableVisit visit(long cycle, String stream, TablePointer table) {
        return new TableVisit(cycle, 0, table.tenantId(), stream, table.namespace(), table.metadataLocation());
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
