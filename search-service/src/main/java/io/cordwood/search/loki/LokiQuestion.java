package io.cordwood.search.loki;

import io.cordwood.catalog.access.Caller;
import io.cordwood.query.search.TableScan;
import io.cordwood.search.api.TableAccess;
import io.cordwood.search.http.Client;
import io.cordwood.search.http.Turns;
import io.cordwood.search.logql.LabelMatcher;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A request about a tenant. Not thread-safe. */
final class LokiQuestion {
    private final TableAccess access;
    private final Caller caller;
    private final Client client;
    private final String tenant;
    private final List<String> streams;
    private final LokiParameters parameters;
    private final long begun;
    private final AtomicLong worked = new AtomicLong();
    /** One scan for each table, so that its limits hold for the whole question. */
    private final Map<String, TableScan> scans = new HashMap<>();

    /**
     * A request.
     *
     * @param streams the streams of the tenant that the caller reads
     * @param begun when the request came, by {@link System#nanoTime}
     */
    LokiQuestion(
            TableAccess access,
            Caller caller,
            Client client,
            String tenant,
            List<String> streams,
            LokiParameters parameters,
            long begun) {
        this.access = access;
        this.caller = caller;
        this.client = client;
        this.tenant = tenant;
        this.streams = List.copyOf(streams);
        this.parameters = parameters;
        this.begun = begun;
    }

    /**
     * Waits for the question's turn; who enters closes it.
     *
     * @param bytes memory that it may need
     */
    Turns.Turn enter(long bytes) throws InterruptedException {
        return access.enter(caller, tenant, bytes, client);
    }

    LokiParameters parameters() {
        return parameters;
    }

    Caller caller() {
        return caller;
    }

    String tenant() {
        return tenant;
    }

    /** The streams of the tenant that the caller reads. */
    List<String> streams() {
        return streams;
    }

    /** The table that a selector is about; empty if it selects no stream. */
    Optional<LokiTable> table(List<LabelMatcher> selector) {
        return StreamChoice.of(selector, streams).map(this::table);
    }

    private LokiTable table(String stream) {
        TableScan scan = scans.computeIfAbsent(stream, name -> access.open(tenant, name, client));
        return new LokiTable(scan, TableLabels.of(scan.table()));
    }

    /** Checks the limits of the scans so far, for long work on what they read. */
    void checkLimits() {
        scans.values().forEach(TableScan::checkLimits);
    }

    /** How long the question's threads have worked on lines so far, in nanoseconds. */
    AtomicLong worked() {
        return worked;
    }

    /** The scans so far. */
    Iterable<TableScan> scans() {
        return scans.values();
    }

    /** How long it has taken so far, in nanoseconds. */
    long nanos() {
        return System.nanoTime() - begun;
    }
}
