package io.cordwood.ingest.storage;

import io.cordwood.catalog.commit.CommitOutcome;
import io.cordwood.catalog.commit.CommitTables;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.commit.TableCommitException;
import io.cordwood.catalog.protocol.EnsuredTable;
import io.cordwood.catalog.protocol.TableReply;
import io.cordwood.catalog.protocol.TableRequest;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.identity.TokenRules;
import io.cordwood.logblock.io.RangeReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The job's interface to the catalog and to object storage. Thread-safe. Calls block. */
public interface TableStorage extends Closeable {
    /** Opens the storage in the operator's process. */
    @FunctionalInterface
    interface Factory extends Serializable {
        TableStorage open();
    }

    /**
     * Ensures that the tenant's table exists and has these columns; existing ones stay unchanged. Creates no table for
     * rows that were deleted with the tenant.
     *
     * @throws io.cordwood.catalog.client.CatalogException if the catalog refuses or cannot be reached
     */
    EnsuredTable ensureTable(String stream, TableRequest request);

    /**
     * The same for the tables of several tenants at once. A tenant may occur more than once.
     *
     * @return one reply for each request, in their order
     * @throws io.cordwood.catalog.client.CatalogException if the catalog refuses all of them or cannot be reached
     */
    List<TableReply> ensureTables(String stream, List<TableRequest> requests);

    /**
     * Sets the stream's current topic, before it is read.
     *
     * @param topicId Kafka's id of the topic
     * @return the ids of the stream's earlier topics: no further record will come from them
     * @throws io.cordwood.catalog.client.CatalogException if the stream has had another topic since this one
     */
    Set<String> setTopic(String stream, String topicId);

    /**
     * Ends topics of a stream that has no topic now.
     *
     * @param topicIds ids that were known before Kafka reported that the topic does not exist
     * @return the ids of all earlier topics of the stream
     */
    Set<String> endTopics(String stream, Set<String> topicIds);

    /**
     * What decides whether a record's token is good.
     *
     * @throws io.cordwood.catalog.client.CatalogException if the catalog refuses or cannot be reached
     */
    TokenRules tokenRules();

    /** The archived-through offsets of the stream's partitions that have one. */
    Map<PartitionId, Long> archivedThrough(String stream);

    /** The offsets up to which flushes are requested, by tenant id. */
    Map<String, TableOffsets> flushRequests(String stream);

    /** Raises the archived-through offsets of these partitions; never lowers them. */
    void advanceArchivedThrough(String stream, Map<PartitionId, Long> offsets);

    /**
     * Finds the tables of several commits at once.
     *
     * @return by tenant id, what was found; any of them may be left out
     * @throws io.cordwood.catalog.client.CatalogException if the catalog refuses or cannot be reached
     */
    Map<String, CommitTables.Found> findAll(String stream, Set<String> tenantIds);

    /**
     * Commits flushes of one table in at most one snapshot.
     *
     * @param found the table as {@link #findAll} found it just before, if it did
     * @return one outcome for each flush, in the order of the flushes
     * @throws TableCommitException if the table cannot be committed to
     */
    List<CommitOutcome> commit(String tenantId, String stream, List<Flush> flushes, Optional<CommitTables.Found> found)
            throws InterruptedException;

    /** Creates an object, which becomes visible when the stream is closed. */
    OutputStream create(String location) throws IOException;

    /** Opens an object. */
    RangeReader open(String location) throws IOException;
}
