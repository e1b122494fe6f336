package io.cordwood.catalog.testing;

import static io.cordwood.catalog.testing.CatalogFixture.PARTITION;
import static io.cordwood.catalog.testing.CatalogFixture.STREAM;
import static io.cordwood.catalog.testing.CatalogFixture.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.commit.CommitOutcome.Status;
import io.cordwood.catalog.commit.Flush;
import io.cordwood.catalog.commit.LogBlockCommitter;
import io.cordwood.catalog.table.TableOffsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.iceberg.catalog.Catalog;

/** Two committers that hold the same rows, cut into flushes of different widths. */
public final class CommitterRace {
    private static final int NARROW = 10;
    private static final int WIDE = 11;

    private final Catalog catalog;
    private final CatalogFixture fixture;
    private final AtomicInteger committed = new AtomicInteger();
    private final AtomicLong highest = new AtomicLong();

    public CommitterRace(Catalog catalog, CatalogFixture fixture) {
        this.catalog = catalog;
        this.fixture = fixture;
    }

    /** Lets them commit the rows below this offset, and checks that each row is there once. */
    public void run(long end) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Void>> racers = new ArrayList<>();
            for (int width : new int[] {NARROW, WIDE}) {
                racers.add(threads.submit(() -> {
                    commitAll(width, end);
                    return null;
                }));
            }
            for (Future<Void> racer : racers) {
                racer.get();
            }
        }
        assertThat(fixture.offset()).isEqualTo(end);
        fixture.assertEachRowOnce(PARTITION, end);
        assertThat(committed.get()).isGreaterThanOrEqualTo((int) (end / WIDE));
    }

    private void commitAll(int width, long end) throws InterruptedException {
        LogBlockCommitter committer = new LogBlockCommitter(
                catalog,
                (tenant, stream) -> TableOffsets.NONE,
                (tenant, stream, flush, firstOffset) -> fixture.rewrite(flush, firstOffset));
        for (long from = 0; from < end; from += width) {
            Flush flush = fixture.flush(from, Math.min(from + width, end));
            Status status =
                    committer.commit(TENANT, STREAM, List.of(flush)).getFirst().status();
            assertThat(status).isIn(Status.COMMITTED, Status.ALREADY_THERE);
            committed.addAndGet(status == Status.COMMITTED ? 1 : 0);
            long seen = highest.get();
            long offset = fixture.offset();
            assertThat(offset).as("table offset only grows").isGreaterThanOrEqualTo(seen);
            highest.accumulateAndGet(offset, Math::max);
        }
    }
}
