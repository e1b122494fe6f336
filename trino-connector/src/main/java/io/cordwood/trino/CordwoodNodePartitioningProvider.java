package io.cordwood.trino;

import com.google.inject.Inject;
import io.cordwood.trino.handle.CordwoodPartitioningHandle;
import io.trino.spi.NodeManager;
import io.trino.spi.connector.BucketFunction;
import io.trino.spi.connector.ConnectorBucketNodeMap;
import io.trino.spi.connector.ConnectorNodePartitioningProvider;
import io.trino.spi.connector.ConnectorPartitioningHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTablePartitioning;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.type.Type;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * On a single node, tells the engine that the rows of all tables lie together. The engine then groups and joins rows in
 * the stage that reads them: another stage on the same node costs milliseconds and gains nothing. Thread-safe.
 */
final class CordwoodNodePartitioningProvider implements ConnectorNodePartitioningProvider {
    private final NodeManager nodes;

    @Inject
    CordwoodNodePartitioningProvider(NodeManager nodes) {
        this.nodes = nodes;
    }

    /** The partitioning of every table; empty if the work is spread over several nodes. */
    Optional<ConnectorTablePartitioning> tablePartitioning() {
        return nodes.getWorkerNodes().size() == 1
                ? Optional.of(new ConnectorTablePartitioning(CordwoodPartitioningHandle.TOGETHER, List.of()))
                : Optional.empty();
    }

    @Override
    public Optional<ConnectorBucketNodeMap> getBucketNodeMapping(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorPartitioningHandle partitioning) {
        return Optional.of(
                ConnectorBucketNodeMap.createBucketNodeMap(((CordwoodPartitioningHandle) partitioning).buckets()));
    }

    @Override
    public ToIntFunction<ConnectorSplit> getSplitBucketFunction(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorPartitioningHandle partitioning,
            int bucketCount) {
        return split -> 0;
    }

    @Override
    public BucketFunction getBucketFunction(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorPartitioningHandle partitioning,
            List<Type> types,
            int bucketCount) {
        return (page, position) -> 0;
    }
}
