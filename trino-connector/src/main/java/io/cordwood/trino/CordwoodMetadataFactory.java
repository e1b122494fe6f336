package io.cordwood.trino;

import com.google.inject.Inject;
import io.cordwood.query.delete.RowDeletion;
import io.cordwood.query.plan.ScanPlanner;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.snapshot.QuerySnapshot;
import io.cordwood.query.table.AllTenants;
import io.cordwood.trino.pushdown.AggregationPushdown;
import io.cordwood.trino.statistics.ColumnStatisticsReader;
import io.trino.spi.catalog.CatalogName;

/** Creates a {@link CordwoodMetadata} for each transaction. Thread-safe. */
final class CordwoodMetadataFactory {
    private final CatalogName catalogName;
    private final QueryCatalog catalog;
    private final AllTenants allTenants;
    private final CordwoodNodePartitioningProvider partitioning;
    private final ColumnStatisticsReader columnStatistics;
    private final ScanPlanner planner;
    private final RowDeletion rowDeletion;

    @Inject
    CordwoodMetadataFactory(
            CatalogName catalogName,
            QueryCatalog catalog,
            AllTenants allTenants,
            CordwoodNodePartitioningProvider partitioning,
            ColumnStatisticsReader columnStatistics,
            ScanPlanner planner,
            RowDeletion rowDeletion) {
        this.planner = planner;
        this.rowDeletion = rowDeletion;
        this.columnStatistics = columnStatistics;
        this.partitioning = partitioning;
        this.catalogName = catalogName;
        this.catalog = catalog;
        this.allTenants = allTenants;
    }

    CordwoodMetadata create(QuerySnapshot version) {
        return new CordwoodMetadata(
                catalogName,
                catalog,
                allTenants,
                partitioning,
                columnStatistics,
                new AggregationPushdown(version, planner, columnStatistics),
                rowDeletion,
                version);
    }
}
