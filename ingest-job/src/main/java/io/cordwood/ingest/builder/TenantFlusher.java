package io.cordwood.ingest.builder;

import io.cordwood.catalog.commit.BackOff;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.ingest.commit.TableFlush;
import io.cordwood.ingest.runtime.JobClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flushes the rows of tenants: {@link FlushPool} builds their LogBlocks outside the task thread, which takes the
 * results here. Used by the task thread only.
 *
 * <p>The rows of a failed flush go back into the state, and the flush is tried again later; other tenants continue.
 */
final class TenantFlusher implements FlushSchedule.Flushes {
    private static final Logger LOG = LoggerFactory.getLogger(TenantFlusher.class);
    private static final long MIN_BACK_OFF_MILLIS = 1000;
    private static final long MAX_BACK_OFF_MILLIS = Duration.ofMinutes(5).toMillis();

    private final FlushPool pool;
    private final MemoryBudget budget;
    private final BufferDrain memory;
    private final BuilderState state;
    private final long smallBytes;
    private final JobClock clock;
    private final BuildMetrics metrics;
    private final Consumer<TableFlush> output;

    /**
     * A flusher without flushes.
     *
     * @param smallBytes memory below which rows are spilled rather than flushed when memory is short
     * @param output takes the flushes, in order
     */
    TenantFlusher(
            FlushPool pool,
            MemoryBudget budget,
            BufferDrain memory,
            BuilderState state,
            long smallBytes,
            JobClock clock,
            BuildMetrics metrics,
            Consumer<TableFlush> output) {
        this.pool = pool;
        this.budget = budget;
        this.memory = memory;
        this.state = state;
        this.smallBytes = smallBytes;
        this.clock = clock;
        this.metrics = metrics;
        this.output = output;
    }

    @Override
    public int inProgress() {
        return pool.size();
    }

    /** Flushes a tenant whose rows have reached the target size. */
    void flushIfLarge(TenantBuffer tenant) throws Exception {
        // During a flush, new rows are only buffered: otherwise one tenant's backlog would stop all.
        if (tenant.bufferBytes() >= budget.flushBytes()
                || (tenant.totalBytes() >= budget.flushBytes() && !tenant.inFlight())) {
            flush(tenant, FlushReason.SIZE);
        }
    }

    /**
     * Frees the memory of the largest buffers if it is short: flushes rows that make a reasonable LogBlock, and spills
     * the rest to the state.
     */
    void freeMemory(Collection<PartitionBuffers> partitions) throws Exception {
        if (!budget.isShort()) {
            return;
        }
        List<TenantBuffer> largest = new ArrayList<>();
        partitions.forEach(partition -> largest.addAll(partition.tenants()));
        largest.sort(Comparator.comparingLong(TenantBuffer::bufferBytes).reversed());
        for (TenantBuffer tenant : largest) {
            if (budget.isRelieved() || !tenant.hasBufferedRows()) {
                break;
            }
            if (tenant.totalBytes() >= smallBytes && !tenant.inFlight() && tenant.failures() == 0) {
                flush(tenant, FlushReason.MEMORY);
            }
            if (tenant.hasBufferedRows()) {
                memory.spill(tenant);
            }
        }
    }

    @Override
    public void flush(TenantBuffer tenant, FlushReason reason) throws Exception {
        while (tenant.inFlight()) {
            settle(pool.take());
        }
        // If the tenant is quarantined, its rows wait in the state until its next attempt.
        if (tenant.failures() == 0 || reason == FlushReason.RETRY) {
            flushOldest(tenant);
            metrics.flush(reason);
        }
        if (tenant.bufferBytes() >= budget.flushBytes()) {
            memory.spill(tenant); // No chunk is larger than a flush, so that flush inputs are not either.
        }
    }

    private void flushOldest(TenantBuffer tenant) throws Exception {
        long expected = MemoryBudget.ofFlush(Math.min(tenant.totalBytes(), budget.maxFlushBytes()));
        while (!pool.isEmpty() && !budget.hasRoomFor(expected)) {
            settle(pool.take());
        }
        PartitionBuffers partition = tenant.partition();
        FlushInput input = memory.handOver(tenant);
        pool.submit(new FlushOrder(
                partition.partition(),
                tenant,
                partition.base(),
                input,
                state.chunks(tenant, input.spilledRanges()),
                MemoryBudget.ofFlush(input.bytes())));
    }

    /** Takes the results that are there. */
    void settleFinished() throws Exception {
        for (Optional<FlushPool.Result> done = pool.poll(); done.isPresent(); done = pool.poll()) {
            settle(done.get());
        }
    }

    /** Waits for all flushes in progress, and takes their results. */
    void settleAll() throws Exception {
        while (!pool.isEmpty()) {
            settle(pool.take());
        }
    }

    private void settle(FlushPool.Result result) throws Exception {
        FlushOrder order = result.order();
        if (result.failure().isPresent()) {
            requeue(order, result.failure().get());
        } else {
            emit(order, result.flushes());
        }
    }

    private void emit(FlushOrder order, List<Flush> flushes) throws Exception {
        TenantBuffer tenant = order.tenant();
        long flushed = flushes.getLast().to();
        if (flushed < order.to()) {
            putChunkOfBuffer(order);
        }
        state.removeChunks(tenant, tenant.requeueRest(order.input(), flushed));
        tenant.succeeded(flushed);
        for (Flush flush : flushes) {
            flush.files().forEach(file -> metrics.wrote(file.summary()));
            output.accept(new TableFlush(
                    order.partition(), tenant.tenantId(), tenant.partition().nextFlush(), flush));
        }
    }

    private void putChunkOfBuffer(FlushOrder order) throws Exception {
        if (!order.buffer().isEmpty()) {
            long number = order.input().ranges().getLast().first();
            state.putChunk(order.tenant(), number, order.buffer().toChunk());
        }
    }

    private void requeue(FlushOrder order, Exception failure) throws Exception {
        TenantBuffer tenant = order.tenant();
        long backOff = BackOff.delayMillis(tenant.failures(), MIN_BACK_OFF_MILLIS, MAX_BACK_OFF_MILLIS);
        LOG.error(
                "Cannot write LogBlocks of tenant '{}' from {}, offsets [{}, {}); its rows are kept, next attempt in {} ms",
                tenant.tenantId(),
                order.partition(),
                order.from(),
                order.to(),
                backOff,
                failure);
        metrics.failedFlush();
        putChunkOfBuffer(order);
        tenant.requeue(order.input(), clock.ticks() + backOff);
    }
}
