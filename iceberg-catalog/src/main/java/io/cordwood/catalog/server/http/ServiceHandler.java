package io.cordwood.catalog.server.http;

import io.cordwood.catalog.server.metrics.ServiceMetrics;
import io.cordwood.http.BodyBudget;
import io.cordwood.http.Reply;
import io.cordwood.http.RequestBody;
import io.cordwood.http.Sender;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the route of a request, checks the caller's permission, reads the body, runs the action and writes the
 * response, in this order. Thread-safe.
 */
public final class ServiceHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceHandler.class);

    private final List<Route> routes;
    private final Authenticator authenticator;
    private final Refusals refusals;
    private final ServiceMetrics metrics;
    private final BodyBudget bodies;

    public ServiceHandler(List<Route> routes, Authenticator authenticator, Refusals refusals, ServiceMetrics metrics) {
        this(routes, authenticator, refusals, metrics, BodyBudget.ofHeap());
    }

    ServiceHandler(
            List<Route> routes,
            Authenticator authenticator,
            Refusals refusals,
            ServiceMetrics metrics,
            BodyBudget bodies) {
        this.routes = List.copyOf(routes);
        this.authenticator = authenticator;
        this.refusals = refusals;
        this.metrics = metrics;
        this.bodies = bodies;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        long start = System.nanoTime();
        List<String> segments = Route.segments(request.getHttpURI().getPath());
        Optional<Route> route = routes.stream()
                .filter(candidate -> candidate.method().equals(request.getMethod()))
                .filter(candidate -> candidate.match(segments).isPresent())
                .findFirst();
        String name = route.map(Route::toString).orElse("none");
        Reply reply;
        try {
            reply = route.isPresent() ? answer(route.get(), segments, request) : noRoute(request);
        } catch (RuntimeException | IOException e) {
            if (Errors.status(e) == Errors.INTERNAL) {
                LOG.error(
                        "{} {} failed",
                        request.getMethod(),
                        request.getHttpURI().getPath(),
                        e);
            }
            reply = Errors.reply(e);
        }
        reply.write(request, response, callback);
        metrics.request(name, reply.status(), System.nanoTime() - start);
        return true;
    }

    private Reply answer(Route route, List<String> segments, Request request) throws IOException {
        boolean known = route.permission().needsToken();
        Caller caller = known ? caller(route.toString(), request) : Caller.ANYONE;
        try {
            Call call = Call.withoutBody(
                    caller,
                    route.match(segments).orElseThrow(),
                    query(request),
                    request.getHeaders()::get,
                    Request.getRemoteAddr(request));
            route.permission().check(caller, call);
            Sender sender = known ? caller.sender() : Sender.UNKNOWN;
            try (BodyBudget.Hold held = bodies.hold(sender)) {
                byte[] body = RequestBody.read(request, route.maxBodyBytes(sender), held);
                return route.action().answer(call.withBody(body));
            }
        } catch (ForbiddenException | NotAuthorizedException e) {
            refused(caller.token().isPresent() ? caller.name() : "", route.toString(), request, e);
            throw e;
        }
    }

    /** A path without a route tells nobody without a token that it has none. */
    private Reply noRoute(Request request) {
        RequestBody.checkLength(request, Route.SMALL_BODY_BYTES);
        caller("none", request);
        return Errors.reply(
                404,
                "NotFoundException",
                "There is no endpoint %s %s"
                        .formatted(request.getMethod(), request.getHttpURI().getPath()));
    }

    private Caller caller(String route, Request request) {
        try {
            return authenticator.caller(Optional.ofNullable(request.getHeaders().get(HttpHeader.AUTHORIZATION)));
        } catch (NotAuthorizedException e) {
            refused("", route, request, e);
            throw e;
        }
    }

    private void refused(String user, String route, Request request, RuntimeException e) {
        refusals.refused(user, route, Request.getRemoteAddr(request), e.getMessage());
    }

    private static Map<String, String> query(Request request) {
        Map<String, String> query = new HashMap<>();
        for (Fields.Field field : Request.extractQueryParameters(request)) {
            query.put(field.getName(), field.getValue());
        }
        return query;
    }
}
