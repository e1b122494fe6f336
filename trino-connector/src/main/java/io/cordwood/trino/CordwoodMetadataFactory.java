package io.cordwood.trino;

import com.google.inject.Inject;

/** Makes a {@link CordwoodMetadata} for each transaction. Thread-safe. */
final class CordwoodMetadataFactory {
    private final CordwoodCatalog catalog;
    private final AllTenants allTenants;
    private final CordwoodNodePartitioningProvider partitioning;
    private final ColumnStatisticsReader columnStatistics;
    private final RowDeletion rowDeletion;

    @Inject
    CordwoodMetadataFactory(
            CordwoodCatalog catalog,
            AllTenants allTenants,
            CordwoodNodePartitioningProvider partitioning,
            ColumnStatisticsReader columnStatistics,
            RowDeletion rowDeletion) {
        this.rowDeletion = rowDeletion;
        this.columnStatistics = columnStatistics;
        this.partitioning = partitioning;
        this.catalog = catalog;
        this.allTenants = allTenants;
    }

    CordwoodMetadata create(QueryVersion version) {
        return new CordwoodMetadata(catalog, allTenants, partitioning, columnStatistics, rowDeletion, version);
    }
}
