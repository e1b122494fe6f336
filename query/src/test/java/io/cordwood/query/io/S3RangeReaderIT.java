package io.cordwood.query.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.io.S3Clients;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.catalog.io.StoreRequests;
import io.cordwood.logblock.io.ByteRange;
import io.cordwood.logblock.io.RangeReader;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.query.cache.BlockCache;
import io.cordwood.query.cache.CachingRangeReader;
import io.cordwood.query.cache.DiskBlockCache;
import io.cordwood.query.error.QueryError;
import io.cordwood.query.error.ReadFailures;
import io.cordwood.services.FaultyHttpProxy;
import io.cordwood.services.FaultyHttpProxy.Fate;
import io.cordwood.services.HttpFaults;
import io.cordwood.services.S3Account;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.services.Waiting;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Ranged reads from a real S3 server, with and without what goes wrong on the way. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
final class S3RangeReaderIT {
    private static final int LENGTH = 20_000_003;
    private static final String KEY = "logs/a b+c%20/object.parquet";
    private static final String LOCATION = "s3://%s/%s".formatted(S3Account.BUCKET, KEY);

    private final byte[] bytes = new byte[LENGTH];
    private Service store;
    private FaultyHttpProxy proxy;
    private S3Reads reads;

    @BeforeAll
    void putObject() throws Exception {
        S3Account.useHere();
        new Random(3).nextBytes(bytes);
        store = TestServices.objectStore();
        try (S3Client client = S3Clients.create(settings(store.url()), 4)) {
            client.putObject(put -> put.bucket(S3Account.BUCKET).key(KEY), RequestBody.fromBytes(bytes));
        }
    }

    @BeforeEach
    void openReads() throws IOException {
        proxy = FaultyHttpProxy.before(store.address(), 11);
        reads = new S3Reads(() -> settings(proxy.url()), 16);
    }

    @AfterEach
    void closeReads() throws IOException {
        reads.close();
        proxy.close();
    }

    @AfterAll
    void stop() throws IOException {
        store.close();
    }

    private static S3Settings settings(String endpoint) {
        return new S3Settings(Optional.of(URI.create(endpoint)), Optional.empty(), true);
    }

    private S3RangeReader reader() {
        return new S3RangeReader(reads, LOCATION, LENGTH);
    }

    @Test
    void givesTheBytesOfTheObject() throws IOException {
        Random random = new Random(7);
        for (int i = 0; i < 50; i++) {
            assertReads(ranges(random, 6), new ReadMetrics());
        }
    }

    @Test
    void nearRangesAreReadAtOnce() throws IOException {
        ReadMetrics metrics = new ReadMetrics();
        assertReads(List.of(new ByteRange(0, 10), new ByteRange(100_000, 10), new ByteRange(10_000_000, 10)), metrics);
        assertThat(metrics.storeRequests.sum()).isEqualTo(2);
        assertThat(metrics.storeBytes.sum()).isEqualTo(100_020);
        assertThat(metrics.storeRetries.sum()).isZero();
    }

    @Test
    void rangesAreReadInParallel() throws IOException {
        assertReads(List.of(new ByteRange(0, 10)), new ReadMetrics());
        proxy.let(new HttpFaults(Duration.ofSeconds(2), 0, 0, 0, 0));
        long begun = System.nanoTime();
        assertReads(ranges(new Random(1), 15), new ReadMetrics());
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(12));
    }

    @Test
    void whatGoesWrongOnTheWayIsReadAgain() throws IOException {
        proxy.let(new HttpFaults(Duration.ofMillis(1), 0.1, 0.1, 0.1, 0.05));
        long sent = StoreRequests.ofProcess().getSent();
        long failed = StoreRequests.ofProcess().getFailed();
        ReadMetrics metrics = new ReadMetrics();
        Random random = new Random(5);
        for (int i = 0; i < 40; i++) {
            assertReads(ranges(random, 6), metrics);
        }
        for (Fate fate : Fate.values()) {
            assertThat(proxy.count(fate)).as("%s", fate).isPositive();
        }
        assertThat(metrics.storeRequests.sum()).isEqualTo(proxy.requests());
        assertThat(metrics.storeRetries.sum())
                .isEqualTo(proxy.count(Fate.UNAVAILABLE)
                        + proxy.count(Fate.RESET_BEFORE)
                        + proxy.count(Fate.RESET_AFTER)
                        + proxy.count(Fate.TRUNCATED));
        assertThat(StoreRequests.ofProcess().getSent()).isEqualTo(sent + proxy.requests());
        assertThat(StoreRequests.ofProcess().getFailed()).isEqualTo(failed + metrics.storeRetries.sum());
    }

    @Test
    void whatFellOutOfMemoryIsReadFromTheDisk(@TempDir Path directory) throws IOException, InterruptedException {
        try (DiskBlockCache disk = new DiskBlockCache(directory, 2L * LENGTH);
                BlockCache cache = new BlockCache(LENGTH / 20, Optional.of(disk))) {
            CachingRangeReader cached = new CachingRangeReader(reader(), cache);
            ReadMetrics first = new ReadMetrics();
            readThrough(cached, first);
            assertThat(first.storeBytes.sum()).isGreaterThanOrEqualTo(LENGTH);
            Waiting.until("all is on the disk", () -> {
                ReadMetrics again = new ReadMetrics();
                readThrough(cached, again);
                return again.storeBytes.sum() < LENGTH / 10;
            });
        }
    }

    private void readThrough(RangeReader reader, ReadMetrics metrics) throws IOException {
        int step = 1_000_000;
        for (int from = 0; from < LENGTH; from += step) {
            ByteRange range = new ByteRange(from, Math.min(step, LENGTH - from));
            assertThat(reader.read(List.of(range), metrics).getFirst())
                    .isEqualTo(Arrays.copyOfRange(bytes, from, from + range.length()));
        }
    }

    @Test
    void missingObjectIsSaidToBeMissing() {
        S3RangeReader missing = new S3RangeReader(reads, LOCATION + "x", LENGTH);
        assertThatThrownBy(() -> missing.read(List.of(new ByteRange(0, 10))))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContainingAll(LOCATION + "x", proxy.url(), "no such object");
    }

    @Test
    void objectShorterThanTheTableSaysIsNoReasonToTryAgain() {
        ReadMetrics metrics = new ReadMetrics();
        S3RangeReader reader = reader();
        for (long offset : List.of(LENGTH - 5L, LENGTH + 5L)) {
            assertThatThrownBy(() -> reader.read(List.of(new ByteRange(offset, 10)), metrics))
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining(LOCATION)
                    .hasMessageContaining("it ends before")
                    .satisfies(failure -> assertThat(error(failure)).isEqualTo(QueryError.CURSOR_ERROR));
        }
        assertThat(proxy.requests()).isEqualTo(2);
    }

    @Test
    void storeThatIsDownIsNamed() throws IOException {
        proxy.close();
        assertThatThrownBy(() -> reader().read(List.of(new ByteRange(0, 10))))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(LOCATION, proxy.url())
                .satisfies(failure -> assertThat(error(failure)).isEqualTo(QueryError.STORE_UNAVAILABLE));
    }

    @Test
    void bucketThatIsNotThereIsAskedFor() {
        S3RangeReader elsewhere = new S3RangeReader(reads, "s3://nowhere/object", LENGTH);
        assertThatThrownBy(() -> elsewhere.read(List.of(new ByteRange(0, 10))))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("s3://nowhere/object", "is there such a bucket?")
                .satisfies(failure -> assertThat(error(failure)).isEqualTo(QueryError.CURSOR_ERROR));
    }

    private static QueryError error(Throwable failure) {
        return ReadFailures.of(QueryError.CURSOR_ERROR, "Cannot read it", (Exception) failure)
                .error();
    }

    @Test
    void wrongCredentialsAreAskedFor() throws IOException {
        System.setProperty("aws.secretAccessKey", "wrong");
        try {
            S3Reads refused = new S3Reads(() -> settings(proxy.url()), 1);
            S3RangeReader reader = new S3RangeReader(refused, LOCATION, LENGTH);
            assertThatThrownBy(() -> reader.read(List.of(new ByteRange(0, 10))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll(LOCATION, "403", "AWS_ACCESS_KEY_ID");
            refused.close();
        } finally {
            S3Account.useHere();
        }
    }

    @Test
    void interruptedReadIsNoFailureOfTheObject() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> reader().read(List.of(new ByteRange(0, 10))))
                .isInstanceOf(ClosedByInterruptException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    private void assertReads(List<ByteRange> ranges, ReadMetrics metrics) throws IOException {
        List<byte[]> read = reader().read(ranges, metrics);
        assertThat(read).hasSameSizeAs(ranges);
        for (int i = 0; i < ranges.size(); i++) {
            ByteRange range = ranges.get(i);
            assertThat(Arrays.equals(read.get(i), 0, range.length(), bytes, (int) range.offset(), (int) range.end()))
                    .as("%s", range)
                    .isTrue();
        }
    }

    private static List<ByteRange> ranges(Random random, int count) {
        List<ByteRange> ranges = new ArrayList<>();
        int offset = random.nextInt(100_000);
        for (int i = 0; i < count && offset < LENGTH - 200_000; i++) {
            int length = 1 + random.nextInt(random.nextBoolean() ? 100 : 200_000);
            ranges.add(new ByteRange(offset, length));
            offset += length + random.nextInt(random.nextInt(4) == 0 ? 10 : 1_200_000);
        }
        return ranges;
    }
}
