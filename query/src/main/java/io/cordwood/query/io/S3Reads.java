package io.cordwood.query.io;

import io.cordwood.catalog.io.S3Clients;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.logblock.io.ReadMetrics;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import software.amazon.awssdk.core.metrics.CoreMetric;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Ranged reads from an S3 store, shared by all queries of a node: one client with its connections, and a bound on the
 * requests under way. Thread-safe.
 *
 * <p>Each read has a virtual thread, which waits at the bound, sends the request, and sends it again if it fails or its
 * body breaks off.
 */
public final class S3Reads {
    /** From sending to the last byte; a few MB, so a connection this slow is better left for another. */
    private static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(20);

    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    /** The object ends before the range does: reading again would not help. */
    static final class ShortObjectException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private ShortObjectException() {
            super("the object ends within the range");
        }
    }

    /** Counts what a request has cost. */
    private record RetryCounter(ReadMetrics metrics) implements MetricPublisher {
        @Override
        public void publish(MetricCollection request) {
            int retries = request.metricValues(CoreMetric.RETRY_COUNT).stream()
                    .mapToInt(Integer::intValue)
                    .sum();
            metrics.storeRetries.add(retries);
            metrics.storeRequests.add(retries);
        }

        @Override
        public void close() {}
    }

    private final Supplier<S3Settings> settings;
    private final int requests;
    private final Semaphore free;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("cordwood-s3-", 0).factory());
    private volatile S3Client client;

    /**
     * Reads from one store, which is connected at first use.
     *
     * @param requests how many may be under way at a time
     */
    public S3Reads(Supplier<S3Settings> settings, int requests) {
        this.settings = settings;
        this.requests = requests;
        this.free = new Semaphore(requests, true);
    }

    /** Reads a range in the background; its failure is that of the client. */
    Future<byte[]> read(String location, long offset, int length, ReadMetrics metrics) {
        return threads.submit(() -> {
            free.acquire();
            try {
                return fetch(location, offset, length, metrics);
            } finally {
                free.release();
            }
        });
    }

    private byte[] fetch(String location, long offset, int length, ReadMetrics metrics) {
        S3Location object = S3Location.of(location);
        GetObjectRequest request = GetObjectRequest.builder()
                .bucket(object.bucket())
                .key(object.key())
                .range("bytes=%d-%d".formatted(offset, offset + length - 1))
                .overrideConfiguration(override -> override.apiCallAttemptTimeout(ATTEMPT_TIMEOUT)
                        .apiCallTimeout(TIMEOUT)
                        .addMetricPublisher(new RetryCounter(metrics)))
                .build();
        metrics.storeRequests.increment();
        byte[] bytes = client().getObject(request, (response, body) -> bytes(response, body, length));
        metrics.storeBytes.add(bytes.length);
        return bytes;
    }

    private static byte[] bytes(GetObjectResponse response, InputStream body, int length) {
        if (response.contentLength() != null && response.contentLength() < length) {
            throw new ShortObjectException();
        }
        return S3Clients.wholeBody(response, body);
    }

    /** Made at first use, as the catalog service, which knows the store, may start after this. */
    private S3Client client() {
        if (client == null) {
            synchronized (this) {
                if (client == null) {
                    client = S3Clients.create(settings.get(), requests);
                }
            }
        }
        return client;
    }

    /** The store, for messages. */
    String storeName() {
        return settings.get().endpoint().map(URI::toString).orElse("S3");
    }

    public void close() {
        threads.shutdownNow();
        synchronized (this) {
            if (client != null) {
                client.close();
            }
        }
    }
}
