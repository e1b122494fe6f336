package io.cordwood.search.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.http.Reply;
import io.cordwood.query.search.TableScan;
import io.cordwood.search.access.Caller;
import io.cordwood.search.http.Admission;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.ErrorBody;
import io.cordwood.search.http.Failures;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.crypto.SecretKey;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The API under {@code /api/v1}: see {@code docs/use/search.md}. Thread-safe.
 *
 * <p>A caller is authenticated and authorized before the body is read, and before anything of a tenant is looked up.
 */
public final class ApiHandler extends Handler.Abstract {
    private static final String ROOT = "/api/v1/";
    private static final String TAIL = "tail";
    private static final Set<String> GETS = Set.of("columns", TAIL);

    private final TableAccess access;
    private final Optional<SecretKey> cursorKey;
    private final ApiMetrics metrics;
    private final Map<String, Operation> operations;

    /** @param cursorKey encrypts cursors; empty where every caller may see where rows are in Kafka */
    public ApiHandler(TableAccess access, Optional<SecretKey> cursorKey, ApiMetrics metrics) {
        this.access = access;
        this.cursorKey = cursorKey;
        this.metrics = metrics;
        this.operations = Map.of(
                "search",
                new SearchOperation(),
                "histogram",
                new HistogramOperation(),
                "values",
                new ValuesOperation(),
                "context",
                new ContextOperation(),
                "explain",
                new ExplainOperation(),
                "columns",
                new ColumnsOperation(),
                TAIL,
                new TailOperation(access.liveTails(), access.openTails(), metrics));
    }

    /** The stream that a path names, and what is asked about it. */
    private record Target(String tenant, String stream, String operation) {}

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = request.getHttpURI().getPath();
        if (path == null || !path.startsWith(ROOT)) {
            return false;
        }
        long begun = System.nanoTime();
        ResponseOutput output = new ResponseOutput(response, access.deadline(begun));
        String name = "none";
        int status = 200;
        try {
            List<String> segments = segments(path.substring(ROOT.length()));
            Caller caller = access.caller(request);
            if (segments.equals(List.of("tenants"))) {
                name = "tenants";
                requireMethod(request, "GET");
                TenantList.write(access.catalog(), caller, output);
            } else {
                Target target = target(segments);
                name = target.operation();
                answer(request, caller, target, output, begun);
            }
            output.end();
            callback.succeeded();
        } catch (IOException e) {
            // The client has gone
            callback.failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            callback.failed(e);
        } catch (RuntimeException | OutOfMemoryError e) {
            ApiException error = Failures.of(e);
            status = error.status();
            refuse(request, response, callback, output, error);
        } finally {
            metrics.answered(name, status, System.nanoTime() - begun);
        }
        return true;
    }

    private static List<String> segments(String path) {
        try {
            return Arrays.stream(path.split("/", -1))
                    .map(segment -> URLDecoder.decode(segment.replace("+", "%2B"), UTF_8))
                    .toList();
        } catch (IllegalArgumentException e) {
            throw ApiException.invalid("The path is malformed");
        }
    }

    private Target target(List<String> segments) {
        boolean isOfStream = segments.size() == 5
                && segments.get(0).equals("tenants")
                && segments.get(2).equals("streams")
                && operations.containsKey(segments.get(4));
        if (!isOfStream) {
            throw new ApiException(
                    404,
                    "not_found",
                    "There is no such path: use /api/v1/tenants/TENANT/streams/STREAM/ with "
                            + String.join(
                                    ", ", operations.keySet().stream().sorted().toList()));
        }
        return new Target(segments.get(1), segments.get(3), segments.get(4));
    }

    private void answer(Request request, Caller caller, Target target, Output output, long begun)
            throws IOException, InterruptedException {
        boolean isGet = GETS.contains(target.operation());
        requireMethod(request, isGet ? "GET" : "POST");
        access.requireGrant(caller, target.tenant(), target.stream());
        RequestFields fields = isGet
                ? RequestFields.ofParameters(Request.extractQueryParameters(request))
                : RequestFields.parse(access.body(request, caller));
        Operation.Answer question = operations.get(target.operation()).prepare(fields);
        if (target.operation().equals(TAIL)) {
            question.write(asked(request, caller, target, begun), output);
            return;
        }
        try (Admission.Running _ = access.enter(target.tenant())) {
            question.write(asked(request, caller, target, begun), output);
        }
    }

    private Asked asked(Request request, Caller caller, Target target, long begun) {
        TableScan scan = access.open(target.tenant(), target.stream());
        return new Asked(
                caller,
                scan,
                new RowCursors(cursorKey),
                () -> access.caller(request).reads(target.tenant(), target.stream()),
                begun);
    }

    private static void requireMethod(Request request, String method) {
        if (!request.getMethod().equals(method)) {
            throw new ApiException(405, "method_not_allowed", "This path takes " + method);
        }
    }

    private static void refuse(
            Request request, Response response, Callback callback, ResponseOutput output, ApiException error) {
        if (output.hasBegun()) {
            // Too late for a status: the client sees a body that breaks off
            callback.failed(error);
            return;
        }
        Reply reply = Reply.json(error.status(), ErrorBody.of(error)).with("Cache-Control", "no-store");
        if (error.status() == 401) {
            reply = reply.with("WWW-Authenticate", "Bearer realm=\"cordwood\"");
        }
        if (error.status() == 429 || error.status() == 503) {
            reply = reply.with("Retry-After", "1");
        }
        reply.write(request, response, callback);
    }
}
