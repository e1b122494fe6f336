package io.cordwood.ingest.storage;

import io.cordwood.catalog.commit.CommitOutcome;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.commit.TableCommitException;
import io.cordwood.catalog.protocol.EnsuredTable;
import io.cordwood.catalog.protocol.TableReply;
import io.cordwood.catalog.protocol.TableRequest;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.logblock.io.RangeReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the job needs of the catalog and of object storage. Thread-safe. Calls block. */
public interface TableStorage extends Closeable {
    /** Opens the lake where an operator runs. */
    @FunctionalInterface
    interface Factory extends Serializable {
        TableStorage open();
    }

    /**
     * Makes sure that the tenant's table exists and has these columns; one that is there already stays as it is. No
     * table is made for rows that were deleted with the tenant.
     *
     * @throws io.cordwood.catalog.client.CatalogException if the catalog refuses or cannot be reached
     */
    EnsuredTable ensureTable(String stream, TableRequest request);

    /**
     * The same for the tables of several tenants at once. A tenant may be among them more than once.
     *
     * @return one reply for each request, in their order
     * @throws io.cordwood.catalog.client.CatalogException if the catalog refuses all of them or cannot be reached
     */
    List<TableReply> ensureTables(String stream, List<TableRequest> requests);

    /**
     * Says which topic a stream has now, before it is read.
     *
     * @param topicId Kafka's id of the topic
     * @return the ids of topics that the stream had before: no record is left to come from them
     * @throws io.cordwood.catalog.client.CatalogException if the stream has had another topic since this one
     */
    Set<String> setTopic(String stream, String topicId);

    /**
     * Says which topics of a stream do not exist any more, where it has none now.
     *
     * @param topicIds ids that were known before Kafka said that there is no such topic
     * @return the ids of all topics that the stream had before
     */
    Set<String> endTopics(String stream, Set<String> topicIds);

    /** W of every partition of the stream that has one. */
    Map<PartitionId, Long> archivedThrough(String stream);

    /** Up to where flushes of the stream's tenants are asked for, by tenant id. */
    Map<String, TableOffsets> flushRequests(String stream);

    /** Raises W of these partitions; never lowers it. */
    void advanceArchivedThrough(String stream, Map<PartitionId, Long> offsets);

    /**
     * Commits flushes of one table in at most one snapshot.
     *
     * @return one outcome for each flush, in the order of the flushes
     * @throws TableCommitException if the table cannot be committed to
     */
    List<CommitOutcome> commit(String tenantId, String stream, List<Flush> flushes) throws InterruptedException;

    /** Creates an object. It appears when the stream is closed. */
    OutputStream create(String location) throws IOException;

    /** Opens an object. */
    RangeReader open(String location) throws IOException;
}
