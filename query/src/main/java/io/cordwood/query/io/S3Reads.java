package io.cordwood.query.io;

import io.cordwood.catalog.io.S3Clients;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.catalog.io.StoreRequests;
import io.cordwood.logblock.io.ReadMetrics;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * A client for ranged reads from an S3 store, shared by all queries of a node. It bounds the number of concurrent
 * requests. Thread-safe.
 *
 * <p>Each read has a virtual thread, which waits for a permit, sends the request, and repeats it if the request fails
 * or its body ends early.
 */
public final class S3Reads {
    /**
     * Timeout from sending a request to its last byte. A request reads a few MB, so a retry on another connection beats
     * waiting longer.
     */
    private static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(20);

    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    /** Thrown if the object ends before the range does: reading again would not help. */
    static final class ShortObjectException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private ShortObjectException() {
            super("the object ends within the range");
        }
    }

    /** Counts the retries of requests. */
    private record RetryCounter(ReadMetrics metrics) implements MetricPublisher {
        @Override
        public void publish(MetricCollection request) {
            int retries = StoreRequests.repetitions(request);
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
     * Creates a client of one store that connects at first use.
     *
     * @param requests maximum number of concurrent requests
     */
    public S3Reads(Supplier<S3Settings> settings, int requests) {
        this.settings = settings;
        this.requests = requests;
        this.free = new Semaphore(requests, true);
    }

    /** Reads a range in the background; the future fails with the client's exception. */
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
                        // Those of a request replace those of its client
                        .addMetricPublisher(StoreRequests.ofProcess())
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

    /** Created at first use: the catalog service knows the store and may start later. */
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

    /** The name of the store, for messages. */
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
