package io.cordwood.search.loki;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.catalog.access.Caller;
import io.cordwood.http.SiteGuard;
import io.cordwood.search.api.ApiMetrics;
import io.cordwood.search.api.Output;
import io.cordwood.search.api.ResponseOutput;
import io.cordwood.search.api.TableAccess;
import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.Client;
import io.cordwood.search.http.ErrorBody;
import io.cordwood.search.http.Failures;
import io.cordwood.search.http.QuestionBodies;
import io.cordwood.search.http.Turns;
import io.cordwood.search.logql.LogQlException;
import io.cordwood.search.logql.metric.EvaluationException;
import java.io.IOException;
import java.net.URLDecoder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.UrlEncoded;
import org.eclipse.jetty.websocket.core.WebSocketComponents;

/**
 * Loki's HTTP API under {@code /loki/api/v1}: see {@code docs/use/loki.md}. Thread-safe.
 *
 * <p>A caller is authenticated before the body is read, and authorized before anything of a tenant is looked up.
 */
public final class LokiHandler extends Handler.Abstract {
    private static final String ROOT = "/loki/api/v1/";
    private static final String TENANT = "X-Scope-OrgID";
    private static final String LABEL = "label/";
    private static final String VALUES = "/values";
    private static final String TAIL = "tail";
    private static final String BUILD_INFO = "status/buildinfo";
    private static final Set<String> METHODS = Set.of("GET", "POST");

    private final TableAccess access;
    private final QuestionBodies bodies;
    private final ApiMetrics metrics;
    private final TailUpgrade tails;
    private final Map<String, LokiOperation> operations;

    public LokiHandler(TableAccess access, QuestionBodies bodies, ApiMetrics metrics) {
        this.access = access;
        this.bodies = bodies;
        this.metrics = metrics;
        WebSocketComponents components = new WebSocketComponents();
        addBean(components);
        this.tails = new TailUpgrade(access, metrics, components);
        this.operations = Map.ofEntries(
                Map.entry("query_range", new QueryRangeOperation()),
                Map.entry("query", new QueryOperation()),
                Map.entry("labels", new LabelsOperation()),
                Map.entry("label", new LabelsOperation()),
                Map.entry("series", new SeriesOperation()),
                Map.entry("index/stats", new StatisticsOperation()),
                Map.entry("index/volume", new VolumeOperation(false)),
                Map.entry("index/volume_range", new VolumeOperation(true)),
                Map.entry("detected_labels", new DetectedLabelsOperation()),
                Map.entry("detected_fields", new DetectedFieldsOperation()),
                Map.entry("patterns", new PatternsOperation()));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = request.getHttpURI().getPath();
        if (path == null || !path.startsWith(ROOT)) {
            return false;
        }
        String name = path.substring(ROOT.length());
        long begun = System.nanoTime();
        ResponseOutput output = new ResponseOutput(request, response, access.deadline(begun));
        int status = 200;
        try {
            if (name.equals(TAIL)) {
                openTail(request, response, callback, begun);
            } else {
                answer(request, name, output, begun);
                output.end();
                callback.succeeded();
            }
        } catch (IOException e) {
            status = Failures.CLIENT_LEFT;
            callback.failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            callback.failed(e);
        } catch (RuntimeException | OutOfMemoryError e) {
            ApiException error = error(e);
            status = error.status();
            output.refuse(error, ErrorBody.plain(error), callback);
        } finally {
            metrics.answered("loki_" + metric(name), status, System.nanoTime() - begun);
        }
        return true;
    }

    private static ApiException error(Throwable failure) {
        return switch (failure) {
            case LogQlException e -> ApiException.invalid(e.getMessage());
            case EvaluationException e -> ApiException.invalid(e.getMessage());
            default -> Failures.of(failure);
        };
    }

    /** The name of a path for metrics, of which there are few. */
    private String metric(String path) {
        if (isValues(path)) {
            return "label_values";
        }
        return operations.containsKey(path) || path.equals(BUILD_INFO) || path.equals(TAIL)
                ? path.replace('/', '_')
                : "none";
    }

    private static boolean isValues(String path) {
        return path.startsWith(LABEL) && path.endsWith(VALUES) && path.length() > LABEL.length() + VALUES.length();
    }

    private void answer(Request request, String path, Output output, long begun)
            throws IOException, InterruptedException {
        Caller caller = access.caller(request);
        if (path.equals(BUILD_INFO)) {
            BuildInfo.write(output);
            return;
        }
        LokiOperation operation = operation(path);
        if (!METHODS.contains(request.getMethod())) {
            throw new ApiException(405, "method_not_allowed", "This path takes GET and POST");
        }
        LokiQuestion question = question(request, caller, begun);
        try (Turns.Turn _ = question.enter(memory(path))) {
            operation.answer(question, output);
        }
    }

    private long memory(String path) {
        return switch (path) {
            case "patterns" -> access.memory().patterns();
            case "labels", "label", "series", "detected_labels" ->
                access.memory().labels();
            default ->
                isValues(path) ? access.memory().labels() : access.memory().query();
        };
    }

    /** The WebSocket has the callback, once it is open. */
    private void openTail(Request request, Response response, Callback callback, long begun) throws IOException {
        // Browsers open sockets of other sites' pages with the passwords that they know
        SiteGuard.requireSameOrigin(request);
        Caller caller = access.caller(request);
        tails.open(question(request, caller, begun), request, response, callback);
    }

    /** Checks the grant, and then reads the parameters. */
    private LokiQuestion question(Request request, Caller caller, long begun) throws IOException {
        String tenant = tenant(request, caller);
        List<String> streams = access.streams(caller, tenant);
        return new LokiQuestion(
                access, caller, Client.of(request), tenant, streams, parameters(request, caller), begun);
    }

    private LokiOperation operation(String path) {
        if (isValues(path)) {
            String label = path.substring(LABEL.length(), path.length() - VALUES.length());
            return new LabelValuesOperation(URLDecoder.decode(label.replace("+", "%2B"), UTF_8));
        }
        return Optional.ofNullable(operations.get(path))
                .orElseThrow(() -> new ApiException(404, "not_found", "404 page not found"));
    }

    /** The tenant that the request names, or the only one that the caller reads. */
    private static String tenant(Request request, Caller caller) {
        Optional<String> named =
                Optional.ofNullable(request.getHeaders().get(TENANT)).filter(id -> !id.isEmpty());
        if (named.isPresent()) {
            return named.get();
        }
        if (!caller.isOperator() && caller.tenants().size() == 1) {
            return caller.tenants().iterator().next();
        }
        throw new ApiException(401, "no_tenant", "no org id: name the tenant in the header " + TENANT);
    }

    private LokiParameters parameters(Request request, Caller caller) throws IOException {
        Fields fields = new Fields(true);
        Request.extractQueryParameters(request).forEach(fields::add);
        if (request.getMethod().equals("POST")) {
            String body = new String(bodies.read(request, caller), UTF_8);
            try {
                UrlEncoded.decodeUtf8To(body, fields);
            } catch (IllegalArgumentException e) {
                throw ApiException.invalid("The body is no form");
            }
        }
        return new LokiParameters(fields, categorizes(request), Instant.now());
    }

    private static boolean categorizes(Request request) {
        return Optional.ofNullable(request.getHeaders().get("X-Loki-Response-Encoding-Flags")).stream()
                .anyMatch(flags -> flags.contains(LokiParameters.CATEGORIZE_LABELS));
    }
}
