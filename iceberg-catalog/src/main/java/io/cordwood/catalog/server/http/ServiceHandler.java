package io.cordwood.catalog.server.http;

import io.cordwood.catalog.server.http.Route.Permission;
import io.cordwood.catalog.server.metrics.ServiceMetrics;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.UserStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * Finds the route of a request, checks the caller's permission, runs the action and writes the response. Thread-safe.
 */
public final class ServiceHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceHandler.class);
    private static final int MAX_BODY_BYTES = 64 << 20;
    private static final String BEARER = "Bearer ";

    private final List<Route> routes;
    private final Database database;
    private final ServiceMetrics metrics;

    public ServiceHandler(List<Route> routes, Database database, ServiceMetrics metrics) {
        this.routes = List.copyOf(routes);
        this.database = database;
        this.metrics = metrics;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        long start = System.nanoTime();
        List<String> segments = Route.segments(request.getHttpURI().getPath());
        Optional<Route> route = routes.stream()
                .filter(candidate -> candidate.method().equals(request.getMethod()))
                .filter(candidate -> candidate.match(segments).isPresent())
                .findFirst();
        Reply reply = route.map(found -> answer(found, segments, request))
                .orElseGet(() -> Errors.reply(
                        404,
                        "NotFoundException",
                        "There is no endpoint %s %s"
                                .formatted(
                                        request.getMethod(),
                                        request.getHttpURI().getPath())));
        write(reply, request, response, callback);
        metrics.request(route.map(Route::toString).orElse("none"), reply.status(), System.nanoTime() - start);
        return true;
    }

    private Reply answer(Route route, List<String> segments, Request request) {
        try {
            Caller caller = route.permission() == Permission.NONE ? Caller.ANYONE_WHILE_OPEN : caller(request);
            Call call = new Call(caller, route.match(segments).orElseThrow(), query(request), body(request));
            switch (route.permission()) {
                case OPERATOR -> caller.requireOperator();
                case NAMESPACE -> caller.requireNamespace(call.namespace());
                case KNOWN, NONE -> {}
            }
            return route.action().answer(call);
        } catch (RuntimeException | IOException e) {
            if (Errors.status(e) == Errors.INTERNAL) {
                LOG.error("{} {} failed", route.method(), request.getHttpURI().getPath(), e);
            }
            return Errors.reply(e);
        }
    }

    private Caller caller(Request request) {
        String authorization = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        return database.read(connection -> {
            if (UserStore.isOpen(connection)) {
                return Caller.ANYONE_WHILE_OPEN;
            }
            if (authorization == null || !authorization.startsWith(BEARER)) {
                throw new NotAuthorizedException(
                        "Access is granted by user: send a bearer token in the header Authorization");
            }
            return UserStore.withToken(connection, authorization.substring(BEARER.length()))
                    .map(Caller::of)
                    .orElseThrow(() -> new NotAuthorizedException("The bearer token is not known"));
        });
    }

    private static Map<String, String> query(Request request) {
        Map<String, String> query = new HashMap<>();
        for (Fields.Field field : Request.extractQueryParameters(request)) {
            query.put(field.getName(), field.getValue());
        }
        return query;
    }

    private static byte[] body(Request request) throws IOException {
        try (InputStream in = Request.asInputStream(request)) {
            byte[] body = in.readNBytes(MAX_BODY_BYTES + 1);
            if (body.length > MAX_BODY_BYTES) {
                throw new IllegalArgumentException("The body is larger than %d bytes".formatted(MAX_BODY_BYTES));
            }
            return body;
        }
    }

    private static void write(Reply reply, Request request, Response response, Callback callback) {
        response.setStatus(reply.status());
        boolean hasBody = reply.body().length > 0 && !request.getMethod().equals("HEAD");
        if (hasBody) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, reply.contentType());
        }
        response.write(true, hasBody ? ByteBuffer.wrap(reply.body()) : null, callback);
    }
}
