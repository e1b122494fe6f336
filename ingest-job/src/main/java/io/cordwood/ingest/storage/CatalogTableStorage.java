package io.cordwood.ingest.storage;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.commit.CommitOutcome;
import io.cordwood.catalog.commit.CommitTables;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.commit.LogBlockCommitter;
import io.cordwood.catalog.io.InputFileReader;
import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.protocol.EnsuredTable;
import io.cordwood.catalog.protocol.TableReply;
import io.cordwood.catalog.protocol.TableRequest;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.identity.TokenRules;
import io.cordwood.ingest.runtime.IngestException;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.schema.LogBlockOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Table storage through a catalog service. Thread-safe. */
public final class CatalogTableStorage implements TableStorage {
    private final CatalogClient catalog;
    private final LogBlockCommitter committer;

    public CatalogTableStorage(URI uri, Map<String, String> properties, LogBlockOptions options) {
        this.catalog = CatalogClient.connect(uri, properties);
        this.committer = catalog.committer(new LogBlockFlushRewriter(this, options));
    }

    @Override
    public EnsuredTable ensureTable(String stream, TableRequest request) {
        return catalog.ensureTable(request.tenantId(), stream, request.columns(), request.ofNewTable(), request.rows());
    }

    @Override
    public List<TableReply> ensureTables(String stream, List<TableRequest> requests) {
        return catalog.ensureTables(stream, requests);
    }

    @Override
    public Set<String> setTopic(String stream, String topicId) {
        return catalog.setTopic(stream, topicId);
    }

    @Override
    public Set<String> endTopics(String stream, Set<String> topicIds) {
        return catalog.endTopics(stream, topicIds);
    }

    @Override
    public TokenRules tokenRules() {
        return catalog.tokenRules();
    }

    @Override
    public Map<PartitionId, Long> archivedThrough(String stream) {
        return catalog.archivedThrough(stream);
    }

    @Override
    public Map<String, TableOffsets> flushRequests(String stream) {
        return catalog.flushRequests(stream);
    }

    @Override
    public void advanceArchivedThrough(String stream, Map<PartitionId, Long> offsets) {
        catalog.advanceArchivedThrough(stream, offsets);
    }

    @Override
    public Map<String, CommitTables.Found> findAll(String stream, Set<String> tenantIds) {
        return committer.findAll(stream, tenantIds);
    }

    @Override
    public List<CommitOutcome> commit(
            String tenantId, String stream, List<Flush> flushes, Optional<CommitTables.Found> found)
            throws InterruptedException {
        return committer.commit(tenantId, stream, flushes, found);
    }

    @Override
    public OutputStream create(String location) {
        return catalog.io().newOutputFile(location).create();
    }

    @Override
    public RangeReader open(String location) {
        return new InputFileReader(catalog.io().newInputFile(location));
    }

    /**
     * Checks that the warehouse is writable: writes and deletes an object.
     *
     * @throws IngestException if that fails
     */
    public void checkWritable(String warehouse) {
        String base = warehouse.contains(":") ? warehouse : LocalFileIO.location(Path.of(warehouse));
        String location = "%s/.write-check-%s".formatted(base, UUID.randomUUID());
        try {
            create(location).close();
            catalog.io().deleteFile(location);
        } catch (IOException | RuntimeException e) {
            throw new IngestException("Cannot write to the warehouse %s: %s".formatted(warehouse, e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        catalog.close();
    }
}
