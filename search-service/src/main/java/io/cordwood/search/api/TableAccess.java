package io.cordwood.search.api;

import io.cordwood.catalog.access.Caller;
import io.cordwood.catalog.access.Callers;
import io.cordwood.query.QueryEngine;
import io.cordwood.query.error.QueryException;
import io.cordwood.query.search.GivenUpException;
import io.cordwood.query.search.LiveTails;
import io.cordwood.query.search.ScanLimits;
import io.cordwood.query.search.TableReads;
import io.cordwood.query.search.TableScan;
import io.cordwood.query.snapshot.QueryCatalog;
import io.cordwood.query.table.TableVersion;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.Client;
import io.cordwood.search.http.Turns;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What questions need before they are answered, in whatever protocol they come: the caller, the grant, the tenant's
 * turn, and the table. Thread-safe.
 */
public final class TableAccess {
    private static final Logger LOG = LoggerFactory.getLogger(TableAccess.class);
    private static final int MAX_TAILS = 4_000;
    private static final int MAX_TAILS_OF_TENANT = 1_000;
    private static final int MAX_TAILS_OF_USER = 500;

    private final QueryEngine engine;
    private final TableReads reads;
    private final Callers callers;
    private final Turns turns;
    private final ScanLimits limits;
    private final OpenTails openTails = new OpenTails(MAX_TAILS, MAX_TAILS_OF_TENANT, MAX_TAILS_OF_USER);

    public TableAccess(QueryEngine engine, TableReads reads, Callers callers, Turns turns, ScanLimits limits) {
        this.engine = engine;
        this.reads = reads;
        this.callers = callers;
        this.turns = turns;
        this.limits = limits;
    }

    /** The sender of a request; the exceptions are those of {@link Callers#caller}. */
    public Caller caller(Request request) {
        return callers.caller(authorization(request));
    }

    /** Who sends a request with this value of the header {@code Authorization}. */
    public Caller caller(Optional<String> authorization) {
        return callers.caller(authorization);
    }

    /** The header by which the sender of a request is known. */
    public static Optional<String> authorization(Request request) {
        return Optional.ofNullable(request.getHeaders().get(HttpHeader.AUTHORIZATION));
    }

    /** Checks the caller's grant. @throws ApiException with status 403 if there is none */
    public void requireGrant(Caller caller, String tenant, String stream) {
        if (!caller.reads(tenant, stream)) {
            throw new ApiException(
                    403,
                    "forbidden",
                    "User '%s' has no grant to read stream '%s' of tenant '%s'"
                            .formatted(caller.user(), stream, tenant));
        }
    }

    /**
     * The streams of a tenant that the caller reads.
     *
     * @throws ApiException with status 403 if there are none
     */
    public List<String> streams(Caller caller, String tenant) {
        List<String> streams = catalog().streams().stream()
                .filter(stream -> caller.reads(tenant, stream))
                .toList();
        if (streams.isEmpty()) {
            throw new ApiException(
                    403,
                    "forbidden",
                    "User '%s' has no grant to read streams of tenant '%s'".formatted(caller.user(), tenant));
        }
        return streams;
    }

    /**
     * Waits for a turn of the caller and the tenant; who enters closes it.
     *
     * @param bytes memory that the question may need
     * @throws ApiException with status 429 if it waits too long
     * @throws GivenUpException if the client leaves meanwhile
     */
    public Turns.Turn enter(Caller caller, String tenant, long bytes, Client client) throws InterruptedException {
        return enter(caller.user(), tenant, bytes, client);
    }

    /** The same for questions that no caller asks, under a name for all of them. */
    public Turns.Turn enter(String user, String tenant, long bytes, Client client) throws InterruptedException {
        return turns.enter(user, tenant, bytes, client);
    }

    /** Opens a tenant's table for one question. @throws ApiException with status 404 if there is none */
    public TableScan open(String tenant, String stream, Client client) {
        return find(tenant, stream, client).orElseThrow(() -> unknown(tenant, stream));
    }

    /** Opens a tenant's table for one question, if there is one. The question ends when its client leaves. */
    public Optional<TableScan> find(String tenant, String stream, Client client) {
        return reads.open(engine.snapshot(), tenant, stream, limits, client::hasLeft);
    }

    private ApiException unknown(String tenant, String stream) {
        return catalog().streams().contains(stream)
                ? new ApiException(
                        404, "not_found", "There is no tenant '%s' with rows in stream '%s'".formatted(tenant, stream))
                : new ApiException(
                        404,
                        "not_found",
                        "There is no stream '%s'; streams are: %s"
                                .formatted(stream, String.join(", ", catalog().streams())));
    }

    /** The memory that questions may need. */
    public QuestionMemory memory() {
        return new QuestionMemory(limits.threads());
    }

    public QueryCatalog catalog() {
        return engine.catalog();
    }

    /** The shares of rows that have a value, by column; empty if they cannot be read. */
    Map<String, Double> valueShares(TableVersion table, Runnable check) {
        try {
            return engine.valueShares().of(table, check);
        } catch (QueryException e) {
            LOG.warn("A table has no statistics", e);
            return Map.of();
        }
    }

    public LiveTails liveTails() {
        return engine.liveTails();
    }

    /** The tails that are open, in all protocols. */
    public OpenTails openTails() {
        return openTails;
    }

    /** When the answer to a request that came then must have been sent, by {@link System#nanoTime}. */
    public long deadline(long begun) {
        return begun + 2 * limits.timeout().toNanos();
    }
}
