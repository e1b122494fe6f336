package io.cordwood.search.api;

import io.cordwood.query.QueryEngine;
import io.cordwood.query.search.ScanLimits;
import io.cordwood.query.search.TableReads;
import io.cordwood.query.search.TableScan;
import io.cordwood.search.access.Callers;
import io.cordwood.search.access.NotAuthenticatedException;
import io.cordwood.search.access.RulesUnavailableException;
import io.cordwood.search.http.Admission;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.crypto.SecretKey;

/**
 * Answers questions about streams, in whatever protocol they come: knows the caller, checks the grant, waits for the
 * tenant's turn, and has an {@link Operation} answer. Thread-safe.
 */
public final class Questions {
    static final String TAIL = "tail";

    private final QueryEngine engine;
    private final TableReads reads;
    private final Callers callers;
    private final Admission admission;
    private final ScanLimits limits;
    private final Optional<SecretKey> cursorKey;
    private final Map<String, Operation> operations;

    /** @param cursorKey encrypts cursors; empty where every caller may see where rows are in Kafka */
    public Questions(
            QueryEngine engine,
            TableReads reads,
            Callers callers,
            Admission admission,
            ScanLimits limits,
            Optional<SecretKey> cursorKey,
            ApiMetrics metrics) {
        this.engine = engine;
        this.reads = reads;
        this.callers = callers;
        this.admission = admission;
        this.limits = limits;
        this.cursorKey = cursorKey;
        this.operations = Map.of(
                "search",
                new SearchOperation(),
                "histogram",
                new HistogramOperation(),
                "values",
                new ValuesOperation(),
                "patterns",
                new PatternsOperation(),
                "context",
                new ContextOperation(),
                "explain",
                new ExplainOperation(),
                "columns",
                new ColumnsOperation(),
                TAIL,
                new TailOperation(engine.liveTails(), metrics));
    }

    /** The names of the operations. */
    public Set<String> operations() {
        return operations.keySet();
    }

    /** How long a question may take. */
    public Duration timeout() {
        return limits.timeout();
    }

    /**
     * A request that comes now.
     *
     * @param authorization its header of this name
     * @throws NotAuthenticatedException if it has no good token
     * @throws RulesUnavailableException if that cannot be checked now
     */
    public Arrival arrive(Optional<String> authorization) {
        long begun = System.nanoTime();
        return new Arrival(callers.caller(authorization), authorization, begun);
    }

    /** Writes the tenants and streams that the caller reads. @throws IOException if the client has gone */
    public void writeTenants(Arrival arrival, Output output) throws IOException {
        TenantList.write(engine.catalog(), arrival.caller(), output);
    }

    /** Checks the caller's grant. @throws ApiException with status 403 if there is none */
    public void authorize(Arrival arrival, Target target) {
        if (!arrival.caller().reads(target.tenant(), target.stream())) {
            throw new ApiException(
                    403,
                    "forbidden",
                    "User '%s' has no grant to read stream '%s' of tenant '%s'"
                            .formatted(arrival.caller().user(), target.stream(), target.tenant()));
        }
    }

    /**
     * Answers a question.
     *
     * @throws ApiException if the caller has no grant, the question is malformed, or too many are asked
     * @throws IOException if the client has gone
     */
    public void answer(Arrival arrival, Target target, RequestFields fields, Output output)
            throws IOException, InterruptedException {
        authorize(arrival, target);
        Operation.Answer question = operations.get(target.operation()).prepare(fields);
        if (target.operation().equals(TAIL)) {
            question.write(asked(arrival, target), output);
            return;
        }
        try (Admission.Running _ = admission.enter(target.tenant())) {
            question.write(asked(arrival, target), output);
        }
    }

    private Asked asked(Arrival arrival, Target target) {
        TableScan scan = reads.open(engine.snapshot(), target.tenant(), target.stream(), limits)
                .orElseThrow(() -> unknown(target));
        return new Asked(
                arrival.caller(),
                scan,
                new RowCursors(cursorKey),
                () -> callers.caller(arrival.authorization()).reads(target.tenant(), target.stream()),
                arrival.begun());
    }

    private ApiException unknown(Target target) {
        return engine.catalog().streams().contains(target.stream())
                ? new ApiException(
                        404,
                        "not_found",
                        "There is no tenant '%s' with rows in stream '%s'".formatted(target.tenant(), target.stream()))
                : new ApiException(
                        404,
                        "not_found",
                        "There is no stream '%s'; streams are: %s"
                                .formatted(
                                        target.stream(),
                                        String.join(", ", engine.catalog().streams())));
    }
}
