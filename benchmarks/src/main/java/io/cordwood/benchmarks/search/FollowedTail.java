package io.cordwood.benchmarks.search;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** A client of a live tail, on a thread of its own. Thread-safe. */
final class FollowedTail implements Closeable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NUMBER = "\"n\":\"";

    private final InputStream body;
    private final LongConsumer received;
    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final CountDownLatch following = new CountDownLatch(1);
    private volatile boolean closed;

    private FollowedTail(InputStream body, LongConsumer received) {
        this.body = body;
        this.received = received;
    }

    /**
     * Follows all rows of a tenant from now on.
     *
     * @param received takes the member {@code n} of each row
     */
    static FollowedTail open(HttpClient client, URI service, String tenant, String stream, LongConsumer received)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        service.resolve("/api/v1/tenants/%s/streams/%s/tail".formatted(tenant, stream)))
                .build();
        HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw new IOException("the search service answered %d to a tail: %s"
                    .formatted(
                            response.statusCode(), new String(response.body().readAllBytes(), StandardCharsets.UTF_8)));
        }
        FollowedTail tail = new FollowedTail(response.body(), received);
        Thread.ofVirtual().name("tail").start(tail::read);
        tail.following.await();
        return tail;
    }

    private void read() {
        boolean areRows = false;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(":")) {
                    following.countDown();
                } else if (line.startsWith("event: ")) {
                    areRows = line.equals("event: rows");
                } else if (line.startsWith("data: ") && areRows) {
                    rows.incrementAndGet();
                    int from = line.indexOf(NUMBER) + NUMBER.length();
                    received.accept(Long.parseLong(line, from, line.indexOf('"', from), 10));
                } else if (line.startsWith("data: ")) {
                    dropped.addAndGet(JSON.readTree(line.substring("data: ".length()))
                            .path("rows")
                            .asLong());
                }
            }
        } catch (IOException e) {
            if (!closed) {
                System.err.println("bench: a tail broke off: " + e);
            }
        } finally {
            following.countDown();
        }
    }

    /** Rows received so far. */
    long rows() {
        return rows.get();
    }

    /** Rows that the service said it dropped. */
    long dropped() {
        return dropped.get();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        body.close();
    }
}
