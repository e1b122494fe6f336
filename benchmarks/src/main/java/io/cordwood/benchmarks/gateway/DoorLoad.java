package io.cordwood.benchmarks.gateway;

import io.cordwood.benchmarks.report.Percentiles;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * What came of requests that several clients sent at once. Immutable.
 *
 * @param rows rows that were acknowledged
 * @param refused requests that got status 429 or 503
 * @param millis times of the acknowledged requests
 */
record DoorLoad(long rows, long refused, Percentiles millis) {
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final int TOO_MANY = 429;
    private static final int UNAVAILABLE = 503;

    private record Sent(List<Double> millis, long rows, long refused) {}

    /**
     * Sends the requests again and again for some time.
     *
     * @param perSecond requests a second of all clients together; 0: as fast as they are answered
     * @throws IOException if a request is answered otherwise than by success or by a refusal for now
     */
    static DoorLoad run(
            URI gateway, DoorClient client, List<DoorRequest> requests, int clients, double perSecond, int seconds)
            throws IOException, InterruptedException {
        AtomicLong next = new AtomicLong();
        long begun = System.nanoTime();
        long end = begun + TimeUnit.SECONDS.toNanos(seconds);
        List<Callable<Sent>> work = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            work.add(() -> send(gateway.resolve(client.path()), client, requests, next, perSecond, begun, end));
        }
        List<Double> millis = new ArrayList<>();
        long rows = 0;
        long refused = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            for (Future<Sent> each : threads.invokeAll(work)) {
                Sent sent = each.get();
                millis.addAll(sent.millis());
                rows += sent.rows();
                refused += sent.refused();
            }
        } catch (ExecutionException e) {
            throw new IOException("a client failed: " + e.getCause(), e);
        }
        return new DoorLoad(rows, refused, Percentiles.of(millis));
    }

    private static Sent send(
            URI uri,
            DoorClient client,
            List<DoorRequest> requests,
            AtomicLong next,
            double perSecond,
            long begun,
            long end)
            throws IOException, InterruptedException {
        List<Double> millis = new ArrayList<>();
        long rows = 0;
        long refused = 0;
        try (HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            while (System.nanoTime() < end) {
                long number = next.getAndIncrement();
                long due = perSecond == 0 ? System.nanoTime() : begun + (long) (number / perSecond * 1e9);
                for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                    LockSupport.parkNanos(wait);
                }
                DoorRequest request = requests.get((int) (number % requests.size()));
                HttpResponse<String> response = http.send(
                        HttpRequest.newBuilder(uri)
                                .header("Content-Type", client.contentType())
                                .header("X-Scope-OrgID", request.tenant())
                                .POST(HttpRequest.BodyPublishers.ofByteArray(request.body()))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                if (response.statusCode() == OK || response.statusCode() == NO_CONTENT) {
                    // From when it was due: a late answer delays later requests
                    millis.add((System.nanoTime() - due) / 1e6);
                    rows += request.rows();
                } else if (response.statusCode() == TOO_MANY || response.statusCode() == UNAVAILABLE) {
                    refused++;
                } else {
                    throw new IOException("status %d: %s".formatted(response.statusCode(), response.body()));
                }
            }
        }
        return new Sent(millis, rows, refused);
    }
}
