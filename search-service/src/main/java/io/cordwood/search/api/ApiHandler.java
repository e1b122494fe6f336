package io.cordwood.search.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.search.http.ApiException;
import io.cordwood.search.http.ErrorBody;
import io.cordwood.search.http.Failures;
import io.cordwood.search.http.QuestionBodies;
import io.cordwood.search.http.RequestFields;
import java.io.IOException;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The API under {@code /api/v1}: see {@code docs/use/search-api.md}. Thread-safe.
 *
 * <p>A caller is authenticated and authorized before the body is read, and before anything of a tenant is looked up.
 */
public final class ApiHandler extends Handler.Abstract {
    private static final String ROOT = "/api/v1/";
    private static final Set<String> GETS = Set.of("columns", Questions.TAIL);

    private final Questions questions;
    private final ApiMetrics metrics;
    private final QuestionBodies bodies;

    public ApiHandler(Questions questions, QuestionBodies bodies, ApiMetrics metrics) {
        this.questions = questions;
        this.bodies = bodies;
        this.metrics = metrics;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = request.getHttpURI().getPath();
        if (path == null || !path.startsWith(ROOT)) {
            return false;
        }
        long begun = System.nanoTime();
        ResponseOutput output = new ResponseOutput(request, response, questions.deadline(begun));
        String name = "none";
        int status = 200;
        try {
            List<String> segments = segments(path.substring(ROOT.length()));
            Arrival arrival = questions.arrive(request);
            if (segments.equals(List.of("tenants"))) {
                name = "tenants";
                requireMethod(request, "GET");
                questions.writeTenants(arrival, output);
            } else {
                Target target = target(segments);
                name = target.operation();
                answer(request, arrival, target, output);
            }
            output.end();
            callback.succeeded();
        } catch (IOException e) {
            status = Failures.CLIENT_LEFT;
            callback.failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            callback.failed(e);
        } catch (RuntimeException | OutOfMemoryError e) {
            ApiException error = Failures.of(e);
            status = error.status();
            output.refuse(error, ErrorBody.reply(error), callback);
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
                && questions.operations().contains(segments.get(4));
        if (!isOfStream) {
            throw new ApiException(
                    404,
                    "not_found",
                    "There is no such path: use /api/v1/tenants/TENANT/streams/STREAM/ with "
                            + String.join(
                                    ", ",
                                    questions.operations().stream().sorted().toList()));
        }
        return new Target(segments.get(1), segments.get(3), segments.get(4));
    }

    private void answer(Request request, Arrival arrival, Target target, Output output)
            throws IOException, InterruptedException {
        boolean isGet = GETS.contains(target.operation());
        requireMethod(request, isGet ? "GET" : "POST");
        questions.authorize(arrival, target);
        RequestFields fields = isGet
                ? RequestFields.ofParameters(Request.extractQueryParameters(request))
                : RequestFields.parse(bodies.read(request, arrival.caller()));
        questions.answer(arrival, target, fields, output);
    }

    private static void requireMethod(Request request, String method) {
        if (!request.getMethod().equals(method)) {
            throw new ApiException(405, "method_not_allowed", "This path takes " + method);
        }
    }
}
