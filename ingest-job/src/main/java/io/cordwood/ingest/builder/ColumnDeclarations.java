package io.cordwood.ingest.builder;

import io.cordwood.ingest.storage.TableStorage;
import io.cordwood.record.SeenMembers;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes tables and columns some seconds after the first row that needs them, beside the task thread and long before the
 * row's flush. Only a help: a flush makes sure of table and columns by itself. Used by the task thread only.
 *
 * <p>Rows are looked at about once a second, and before they leave the buffer, for members that are not {@linkplain
 * io.cordwood.record.SettledMembers settled}. The catalog is asked for those in rounds, one after the other, of at
 * most {@value #MAX_TENANTS} tenants.
 */
final class ColumnDeclarations implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ColumnDeclarations.class);
    private static final int MAX_TENANTS = 100;
    /** Memory that rows that were put aside take together once they are read back for a round. */
    private static final long MAX_BYTES = 16 << 20;

    private static final long LOOK_MILLIS = 1000;
    /** How soon it is seen that a round is over, and the next one begun. */
    private static final long BUSY_MILLIS = 100;

    private final CatalogQuestions questions;
    private final BuildMetrics metrics;
    private final ExecutorService thread;
    /** Tenants that rows came of since they were looked at last. */
    private final List<TenantBuffer> recent = new ArrayList<>();
    /** Tenants with rows that may need columns. */
    private final Set<TenantBuffer> waiting = new LinkedHashSet<>();

    private CompletableFuture<List<CatalogQuestions.Outcome>> round = CompletableFuture.completedFuture(List.of());
    /** How often it was found out so far what to ask for next. */
    private long passes;

    ColumnDeclarations(TableStorage lake, BuildOptions options, BuildMetrics metrics, String name) {
        this.questions = new CatalogQuestions(lake, options);
        this.metrics = metrics;
        this.thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name(name + "-columns").daemon().factory());
    }

    /** Tenants that wait for columns. */
    int waiting() {
        return waiting.size();
    }

    /** Rows of a tenant came. */
    void came(TenantBuffer tenant) {
        if (tenant.undeclared().note()) {
            recent.add(tenant);
        }
    }

    /** A checkpoint held this tenant. */
    void restored(TenantBuffer tenant) {
        waitsIfUndeclared(tenant);
    }

    /**
     * A tenant's table may be another one now.
     *
     * @param offset rows below it need nothing
     */
    void forget(TenantBuffer tenant, long offset) {
        tenant.forgetDeclared(offset);
        waitsIfUndeclared(tenant);
    }

    private void waitsIfUndeclared(TenantBuffer tenant) {
        if (tenant.undeclared().areWaiting()) {
            waiting.add(tenant);
        }
    }

    /** Looks at what came since the last look. */
    void look() {
        recent.forEach(this::look);
        recent.clear();
    }

    /** Looks at what came of one tenant; to be called before the rows leave its buffer. */
    void look(TenantBuffer tenant) {
        tenant.look();
        waitsIfUndeclared(tenant);
    }

    /**
     * Takes the answers if they are there, and asks for what is needed next.
     *
     * @return when to come back, in milliseconds
     */
    long proceed(BuilderState state) throws Exception {
        if (!round.isDone()) {
            return BUSY_MILLIS;
        }
        boolean allFailed = takeOutcomes();
        if (allFailed) {
            return LOOK_MILLIS;
        }
        passes++;
        look();
        List<DeclarationOrder> orders = orders(state);
        if (orders.isEmpty()) {
            return LOOK_MILLIS;
        }
        round = CompletableFuture.supplyAsync(() -> questions.ask(orders), thread);
        return BUSY_MILLIS;
    }

    /** Whether there were any and all of them are failures. */
    private boolean takeOutcomes() {
        List<CatalogQuestions.Outcome> outcomes = round.join();
        round = CompletableFuture.completedFuture(List.of());
        int failures = 0;
        // The last go first next time: those that the catalog put off, since others before them failed, are not put off
        // again.
        for (CatalogQuestions.Outcome outcome : outcomes.reversed()) {
            TenantBuffer tenant = outcome.order().tenant();
            if (outcome.settled().isPresent()) {
                tenant.declared(outcome.settled().get());
            } else {
                tenant.undeclared().failed(passes);
                failures++;
            }
            // Behind the others, in whatever way it ended
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
        long room = MAX_BYTES;
        for (Iterator<TenantBuffer> all = waiting.iterator();
                all.hasNext() && orders.size() < MAX_TENANTS && room > 0; ) {
            TenantBuffer tenant = all.next();
            UndeclaredRows undeclared = tenant.undeclared();
            // Of rows that are being flushed the flush asks for what they need, and they come before the others.
            if (undeclared.areDue(passes) && !tenant.isFlushingFrom(undeclared.from())) {
                List<ChunkRange> runs = tenant.runsFrom(undeclared.from(), room);
                room -= runs.stream().mapToLong(ChunkRange::bytes).sum();
                long rest = runs.isEmpty() ? UndeclaredRows.NONE : tenant.firstOffsetAfter(runs.getLast());
                orders.add(order(tenant, state.chunks(tenant, runs), rest));
            }
            if (!undeclared.areWaiting()) {
                all.remove();
            }
        }
        return orders;
    }

    /** @param rest the first row that is put aside and not among the chunks, if there is one */
    private static DeclarationOrder order(TenantBuffer tenant, List<byte[]> chunks, long rest) {
        UndeclaredRows undeclared = tenant.undeclared();
        long from = undeclared.from();
        SeenMembers ofBuffer = new SeenMembers(undeclared.settled());
        long bufferEnd = 0;
        if (rest == UndeclaredRows.NONE && tenant.hasBufferedRows()) {
            ofBuffer.add(tenant.buffer(), from);
            bufferEnd = tenant.buffer().lastOffset() + 1;
        }
        tenant.look();
        undeclared.asking(rest);
        return new DeclarationOrder(tenant, tenant.partition().partition(), from, chunks, ofBuffer, bufferEnd);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
