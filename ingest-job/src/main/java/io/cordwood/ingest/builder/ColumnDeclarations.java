package io.cordwood.ingest.builder;

import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.table.TableOffsets;
import io.cordwood.ingest.storage.TableStorage;
import io.cordwood.record.buffer.SeenMembers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates tables and columns some seconds after the first row that needs them, outside the task thread and long before
 * the row's flush. An optimisation only: a flush ensures table and columns itself. Used by the task thread only.
 *
 * <p>Rows are inspected about once a second, and before they leave the buffer, for members that are not
 * {@linkplain io.cordwood.record.buffer.SettledMembers settled}. The catalog is asked for these in consecutive rounds
 * of at most {@value #MAX_TENANTS} tenants.
 */
final class ColumnDeclarations implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ColumnDeclarations.class);
    private static final int MAX_TENANTS = 100;
    /** Memory of the spilled rows that are read back for a round. */
    private static final long MAX_BYTES = 16 << 20;

    static final long INSPECT_MILLIS = 1000;
    /** Interval of the check whether a round has ended, to begin the next one. */
    private static final long BUSY_MILLIS = 100;

    private final CatalogQuestions questions;
    private final BuildMetrics metrics;
    private final ExecutorService thread;
    /** Tenants with new rows since the last inspection. */
    private final List<TenantBuffer> recent = new ArrayList<>();
    /** Tenants with rows that may need columns. */
    private final Set<TenantBuffer> waiting = new LinkedHashSet<>();

    private CompletableFuture<List<CatalogQuestions.Outcome>> round = CompletableFuture.completedFuture(List.of());
    /** Number of passes so far that collected the next requests. */
    private long passes;

    ColumnDeclarations(TableStorage storage, BuildOptions options, BuildMetrics metrics, String name) {
        this.questions = new CatalogQuestions(storage, options);
        this.metrics = metrics;
        this.thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name(name + "-columns").daemon().factory());
    }

    /** Tenants that wait for columns. */
    int waiting() {
        return waiting.size();
    }

    /** Notes new rows of a tenant. */
    void rowsAdded(TenantBuffer tenant) {
        if (tenant.undeclared().note()) {
            recent.add(tenant);
        }
    }

    /** Notes the tenants from a checkpoint. */
    void restored(Collection<PartitionBuffers> partitions) {
        partitions.forEach(partition -> partition.tenants().forEach(this::waitsIfUndeclared));
    }

    /**
     * Notes that tables of a stream's tenants may have been recreated.
     *
     * @param offsets by tenant, the offsets below which rows need nothing
     */
    void forget(Collection<PartitionBuffers> partitions, String stream, Map<String, TableOffsets> offsets) {
        for (PartitionBuffers partition : partitions) {
            if (partition.partition().stream().equals(stream)) {
                PartitionId id = partition.partition().id();
                offsets.forEach((tenantId, ends) -> partition.kept(tenantId).ifPresent(tenant -> {
                    tenant.forgetDeclared(ends.offset(id));
                    waitsIfUndeclared(tenant);
                }));
            }
        }
    }

    private void waitsIfUndeclared(TenantBuffer tenant) {
        if (tenant.undeclared().areWaiting()) {
            waiting.add(tenant);
        }
    }

    /** Inspects the rows since the last inspection. */
    void inspect() {
        recent.forEach(this::inspect);
        recent.clear();
    }

    /** Inspects the new rows of one tenant; call this before the rows leave its buffer. */
    void inspect(TenantBuffer tenant) {
        tenant.inspect();
        waitsIfUndeclared(tenant);
    }

    /**
     * Takes the responses if they have arrived, and sends the next requests.
     *
     * @return delay until the next call, in milliseconds
     */
    long proceed(BuilderState state) throws Exception {
        if (!round.isDone()) {
            return BUSY_MILLIS;
        }
        boolean allFailed = takeOutcomes();
        if (allFailed) {
            return INSPECT_MILLIS;
        }
        passes++;
        inspect();
        List<DeclarationOrder> orders = orders(state);
        if (orders.isEmpty()) {
            return INSPECT_MILLIS;
        }
        round = CompletableFuture.supplyAsync(() -> questions.ask(orders), thread);
        return BUSY_MILLIS;
    }

    /** Whether there were results and all of them are failures. */
    private boolean takeOutcomes() {
        List<CatalogQuestions.Outcome> outcomes = round.join();
        round = CompletableFuture.completedFuture(List.of());
        int failures = 0;
        // Reverses the order for the next round: the catalog stops after a failure, so the requests behind it then come
        // first and are not delayed again.
        for (CatalogQuestions.Outcome outcome : outcomes.reversed()) {
            TenantBuffer tenant = outcome.order().tenant();
            if (outcome.settled().isPresent()) {
                tenant.declared(outcome.settled().get());
            } else {
                tenant.undeclared().failed(passes);
                failures++;
            }
            // Moves the tenant behind the others, whatever the result
            waiting.remove(tenant);
            waitsIfUndeclared(tenant);
        }
        metrics.failedDeclarations(failures);
        if (failures > 0) {
            LOG.warn(
                    "Columns of {} tenants are not declared yet; their next flushes declare them at the latest: {}",
                    failures,
                    outcomes.stream()
                            .filter(outcome -> outcome.settled().isEmpty())
                            .limit(3)
                            .map(outcome -> "'%s': %s"
                                    .formatted(outcome.order().tenant().tenantId(), outcome.failure()))
                            .toList());
        }
        return failures > 0 && failures == outcomes.size();
    }

    private List<DeclarationOrder> orders(BuilderState state) throws Exception {
        List<DeclarationOrder> orders = new ArrayList<>();
        long headroom = MAX_BYTES;
        for (Iterator<TenantBuffer> all = waiting.iterator();
                all.hasNext() && orders.size() < MAX_TENANTS && headroom > 0; ) {
            TenantBuffer tenant = all.next();
            UndeclaredRows undeclared = tenant.undeclared();
            // The flush in progress makes the requests of its rows, and these rows come before the others.
            if (undeclared.areDue(passes) && !tenant.isFlushingFrom(undeclared.from())) {
                List<ChunkRange> ranges = tenant.rangesFrom(undeclared.from(), headroom);
                headroom -= ranges.stream().mapToLong(ChunkRange::bytes).sum();
                long rest = ranges.isEmpty() ? UndeclaredRows.NONE : tenant.firstOffsetAfter(ranges.getLast());
                orders.add(order(tenant, state.chunks(tenant, ranges), rest));
            }
            if (!undeclared.areWaiting()) {
                all.remove();
            }
        }
        return orders;
    }

    /** @param rest the first spilled row that is not among the chunks, if there is one */
    private static DeclarationOrder order(TenantBuffer tenant, List<byte[]> chunks, long rest) {
        UndeclaredRows undeclared = tenant.undeclared();
        long from = undeclared.from();
        SeenMembers ofBuffer = new SeenMembers(undeclared.settled());
        long bufferEnd = 0;
        if (rest == UndeclaredRows.NONE && tenant.hasBufferedRows()) {
            ofBuffer.add(tenant.buffer(), from);
            bufferEnd = tenant.buffer().lastOffset() + 1;
        }
        tenant.inspect();
        undeclared.asking(rest);
        return new DeclarationOrder(tenant, tenant.partition().partition(), from, chunks, ofBuffer, bufferEnd);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
