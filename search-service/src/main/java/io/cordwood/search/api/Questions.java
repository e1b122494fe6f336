package io.cordwood.search.api;

import io.cordwood.catalog.access.NotAuthenticatedException;
import io.cordwood.catalog.access.RulesUnavailableException;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.Client;
import io.cordwood.search.http.RequestFields;
import io.cordwood.search.http.Turns;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.crypto.SecretKey;
import org.eclipse.jetty.server.Request;

/**
 * Answers questions about streams, in whatever protocol they come: knows the caller, checks the grant, waits for the
 * tenant's turn, and has an {@link Operation} answer. Thread-safe.
 */
public final class Questions {
    static final String TAIL = "tail";

    private final TableAccess access;
    private final Optional<SecretKey> cursorKey;
    private final Map<String, Operation> operations;

    /** @param cursorKey encrypts cursors; empty where every caller may see where rows are in Kafka */
    public Questions(TableAccess access, Optional<SecretKey> cursorKey, ApiMetrics metrics) {
        this.access = access;
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
                new ColumnsOperation(access::valueShares),
                TAIL,
                new TailOperation(access.liveTails(), access.openTails(), metrics));
    }

    /** The names of the operations. */
    public Set<String> operations() {
        return operations.keySet();
    }

    /** When the answer to a request that came then must have been sent, by {@link System#nanoTime}. */
    public long deadline(long begun) {
        return access.deadline(begun);
    }

    /**
     * A request that comes now.
     *
     * @throws NotAuthenticatedException if it has no good token
     * @throws RulesUnavailableException if that cannot be checked now
     */
    public Arrival arrive(Request request) {
        long begun = System.nanoTime();
        Optional<String> authorization = TableAccess.authorization(request);
        return new Arrival(access.caller(authorization), authorization, Client.of(request), begun);
    }

    /** Writes the tenants and streams that the caller reads. @throws IOException if the client has gone */
    public void writeTenants(Arrival arrival, Output output) throws IOException {
        TenantList.write(access.catalog(), arrival.caller(), output);
    }

    /** Checks the caller's grant. @throws ApiException with status 403 if there is none */
    public void authorize(Arrival arrival, Target target) {
        access.requireGrant(arrival.caller(), target.tenant(), target.stream());
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
            access.openTails().requireRoom(arrival.caller(), target.tenant());
            question.write(asked(arrival, target), output);
            return;
        }
        long bytes = access.memory().of(target.operation(), fields);
        try (Turns.Turn _ = access.enter(arrival.caller(), target.tenant(), bytes, arrival.client())) {
            question.write(asked(arrival, target), output);
        }
    }

    private Asked asked(Arrival arrival, Target target) {
        return new Asked(
                arrival.caller(),
                access.open(target.tenant(), target.stream(), arrival.client()),
                new RowCursors(cursorKey),
                () -> access.caller(arrival.authorization()).reads(target.tenant(), target.stream()),
                arrival.begun());
    }
}
