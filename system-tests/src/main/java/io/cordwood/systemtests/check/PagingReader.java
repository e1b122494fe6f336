package io.cordwood.systemtests.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.systemtests.lab.Archiving;
import io.cordwood.systemtests.lab.Lab;
import io.cordwood.systemtests.ledger.Findings;
import io.cordwood.systemtests.ledger.Ledger;
import io.cordwood.systemtests.ledger.Ledger.Acknowledged;
import io.cordwood.systemtests.ledger.NumberedRow;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/**
 * Reads all rows of a large tenant page by page from the search service, with pauses, so that rows come in and move,
 * and processes are killed, between two pages. A page without an answer is asked for again with the same cursor.
 */
public final class PagingReader extends AskingThread {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final int MAX_TENANTS = 3;
    private static final int PAGES = 25;
    private static final long REST_MILLIS = 200;

    private final Lab lab;
    private final Checker checker;
    private final NumberedRow.Maker rows;
    private final Ledger ledger;
    private final Findings findings;
    private final Duration duration;
    private final Random random;
    private final HttpClient http = HttpClient.newHttpClient();
    private volatile long repeatedPages;
    private volatile boolean betweenPages;

    /** @param duration approximate duration of reading all pages */
    public PagingReader(
            Lab lab, Checker checker, NumberedRow.Maker rows, Ledger ledger, Findings findings, Duration duration) {
        super(findings, REST_MILLIS);
        this.lab = lab;
        this.checker = checker;
        this.rows = rows;
        this.ledger = ledger;
        this.findings = findings;
        this.duration = duration;
        this.random = new Random(rows.seed());
    }

    /** Number of pages that were asked for again, because a component was down. */
    public long repeatedPages() {
        return repeatedPages;
    }

    /** Whether it has read a page, and is about to read the next one. */
    public boolean isBetweenPages() {
        return betweenPages;
    }

    /** In either order, and half of the time up to the time of a row. */
    @Override
    protected boolean check(int query) throws IOException, InterruptedException {
        int tenant = random.nextInt(Math.min(MAX_TENANTS, rows.tenants()));
        List<Acknowledged> acknowledged = ledger.acknowledgedOf(tenant);
        if (acknowledged.size() < PAGES || ledger.deletedForGood().contains(tenant)) {
            return false;
        }
        OptionalLong to = query % 4 < 2
                ? OptionalLong.empty()
                : OptionalLong.of(acknowledged
                        .get(random.nextInt(acknowledged.size()))
                        .row()
                        .tsMicros());
        boolean newestFirst = query % 2 == 0;
        PagesCheck check = new PagesCheck(
                ledger, rows, findings, tenant, PagesCheck.Order.of(newestFirst, to), visible(acknowledged));
        ObjectNode request = JSON.createObjectNode()
                .put("order", newestFirst ? "desc" : "asc")
                .put("limit", pageSize(acknowledged.size()));
        to.ifPresent(end -> request.put("to", end));
        Optional<String> after = page(tenant, request, check);
        while (after.isPresent() && check.isGoing()) {
            request.put("after", after.get())
                    .put("limit", pageSize(ledger.acknowledgedOf(tenant).size()));
            betweenPages = true;
            if (!isStopped()) {
                Thread.sleep(duration.dividedBy(PAGES));
            }
            betweenPages = false;
            Optional<Optional<String>> next = pageAgainAndAgain(tenant, request, check);
            if (next.isEmpty()) {
                return false;
            }
            after = next.get();
        }
        check.end();
        return true;
    }

    /** Grows with the tenant, so that the number of pages, each with a pause before it, stays bounded. */
    private static int pageSize(int rows) {
        return Math.max(1, rows / PAGES);
    }

    /**
     * The rows that must be visible: without those behind an open transaction, and those of an earlier topic, which the
     * job alone may have.
     */
    private List<Acknowledged> visible(List<Acknowledged> acknowledged) throws IOException, InterruptedException {
        try (Admin admin = lab.admin()) {
            Archiving archiving = new Archiving(lab, admin);
            int generation = checker.generation(archiving.topic().topicId().toString());
            Map<Integer, Long> ends = archiving.stableOffsets();
            return acknowledged.stream()
                    .filter(each -> each.place().generation() == generation
                            && each.place().offset()
                                    < ends.getOrDefault(each.place().partition(), 0L))
                    .toList();
        } catch (ExecutionException e) {
            throw new IOException("Kafka does not answer", e);
        }
    }

    /** The next cursor, if there is one; empty if the run ends, or the tenant, before the page is answered. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // Only this thread writes
    private Optional<Optional<String>> pageAgainAndAgain(int tenant, ObjectNode request, PagesCheck check)
            throws InterruptedException {
        while (true) {
            try {
                return Optional.of(page(tenant, request, check));
            } catch (IOException e) {
                repeatedPages++;
                if (isStopped() || ledger.deletedForGood().contains(tenant)) {
                    return Optional.empty();
                }
                Thread.sleep(REST_MILLIS);
            }
        }
    }

    /** Reads a page, and returns the next cursor; an answer that breaks off counts for nothing. */
    private Optional<String> page(int tenant, ObjectNode request, PagesCheck check)
            throws IOException, InterruptedException {
        URI uri = URI.create("%s/api/v1/tenants/%s/streams/%s/search"
                .formatted(lab.search(), NumberedRow.tenantId(tenant), Lab.STREAM));
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(uri)
                        .timeout(TIMEOUT)
                        .POST(BodyPublishers.ofString(request.toString()))
                        .build(),
                BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("the search service says: " + response.body());
        }
        List<String> lines = response.body().lines().toList();
        JsonNode end = JSON.readTree(lines.isEmpty() ? "{}" : lines.getLast());
        if (!end.has("stats")) {
            throw new IOException("the page breaks off");
        }
        for (String line : lines.subList(0, lines.size() - 1)) {
            check.add(JSON.readTree(line));
        }
        return Optional.of(end.path("after").asText("")).filter(cursor -> !cursor.isEmpty());
    }
}
