package io.cordwood.balancer.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.cordwood.balancer.plan.LevelPlanner;
import io.cordwood.balancer.plan.Plan;
import io.cordwood.balancer.plan.PlanInput;
import io.cordwood.balancer.plan.TenantDemand;
import io.cordwood.identity.CertificateMetrics;
import io.cordwood.routing.Lease;
import io.cordwood.routing.RoutingTableParser;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import redis.clients.jedis.exceptions.JedisException;

/** The balancer's HTTP server: see {@code docs/operate/balancer.md}. Thread-safe. */
final class BalancerHttp implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String JSON_TYPE = "application/json";
    private static final int MOST_BODY_BYTES = 16 << 20;
    /** Prometheus is not made for a series for each of 100,000 tenants. */
    private static final int MOST_TENANTS = 20;

    private final BalancerOptions options;
    private final List<StreamBalancer> streams;
    private final BrokerDisks disks;
    private final Lease lease;
    private final HttpServer server;
    private final Optional<HttpServer> metricsServer;
    private final Optional<Callers> callers;
    private final Map<String, AtomicLong> rounds = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> failures = new ConcurrentHashMap<>();

    /** An HTTP response. */
    private record Reply(int status, String type, String body) {}

    private interface Handler {
        Reply handle(HttpExchange call) throws IOException;
    }

    /** A request that is malformed or asks for an unknown resource. */
    private static final class CallException extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int status;

        CallException(int status, String message) {
            super(message);
            this.status = status;
        }
    }

    BalancerHttp(
            BalancerOptions options, List<StreamBalancer> streams, BrokerDisks disks, BalancerStore store, Lease lease)
            throws IOException {
        this.options = options;
        this.streams = streams;
        this.disks = disks;
        this.lease = lease;
        InetSocketAddress address = new InetSocketAddress(options.host(), options.port());
        if (options.access().isPresent()) {
            BalancerAccess access = options.access().get();
            SSLContext tls = access.tls();
            HttpsServer https = HttpsServer.create(address, 0);
            https.setHttpsConfigurator(new HttpsConfigurator(tls));
            server = https;
            callers = Optional.of(new Callers(access.catalog(), tls));
            HttpServer metrics = HttpServer.create(new InetSocketAddress(options.host(), access.metricsPort()), 0);
            metrics.createContext("/metrics", call -> {
                try (call) {
                    send(call, metricsReply());
                }
            });
            metricsServer = Optional.of(metrics);
        } else {
            server = HttpServer.create(address, 0);
            callers = Optional.empty();
            metricsServer = Optional.empty();
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        add(
                "GET",
                "/api/routes",
                call -> json(RoutingTableParser.toJson(stream(call).view().table())));
        add("GET", "/api/load", call -> json(Answers.load(stream(call).view(), options, lease.isHeld())));
        add("GET", "/api/history", call -> json(JSON.writeValueAsString(store.history(stream(call).stream()))));
        add("POST", "/api/plan", this::plan);
        add("GET", "/metrics", call -> metricsReply());
        add("GET", "/", call -> page());
    }

    private void add(String method, String path, Handler handler) {
        server.createContext(path, call -> {
            try (call) {
                send(call, reply(method, path, call, handler));
            }
        });
    }

    private Reply reply(String method, String path, HttpExchange call, Handler handler) throws IOException {
        try {
            requireCaller(call);
            if (!call.getRequestURI().getPath().equals(path)) {
                throw new CallException(
                        404, "there is no " + call.getRequestURI().getPath());
            }
            if (!call.getRequestMethod().equals(method)) {
                throw new CallException(405, "%s takes %s".formatted(path, method));
            }
            return handler.handle(call);
        } catch (CallException e) {
            return error(e.status, e.getMessage());
        } catch (JedisException e) {
            return error(503, "Redis does not answer: " + e.getMessage());
        }
    }

    /** Before anything is read of a request, and before it is told what exists. */
    private void requireCaller(HttpExchange call) {
        int status = callers.map(known -> known.status(
                        Optional.ofNullable(call.getRequestHeaders().getFirst("Authorization"))))
                .orElse(200);
        switch (status) {
            case 200 -> {}
            case 401 -> {
                call.getResponseHeaders().set("WWW-Authenticate", "Bearer");
                throw new CallException(401, "send the token of an operator or a service: Authorization: Bearer TOKEN");
            }
            case 403 -> throw new CallException(403, "only operators and services may use the balancer");
            default -> throw new CallException(status, "the catalog, which knows the callers, does not answer");
        }
    }

    private static Reply error(int status, String message) {
        return new Reply(
                status, JSON_TYPE, JSON.createObjectNode().put("error", message).toString());
    }

    private static Reply json(String body) {
        return new Reply(200, JSON_TYPE, body);
    }

    private static void send(HttpExchange call, Reply reply) throws IOException {
        byte[] body = reply.body().getBytes(UTF_8);
        call.getResponseHeaders()
                .set("Content-Type", reply.type() + (reply.type().contains(";") ? "" : "; charset=utf-8"));
        call.getResponseHeaders().set("Cache-Control", "no-store");
        call.sendResponseHeaders(reply.status(), body.length);
        call.getResponseBody().write(body);
    }

    /** The stream that the query names; the first stream if it names none. */
    private StreamBalancer stream(HttpExchange call) {
        String query = Optional.ofNullable(call.getRequestURI().getRawQuery()).orElse("");
        for (String parameter : query.split("&", -1)) {
            if (parameter.startsWith("stream=")) {
                String name = URLDecoder.decode(parameter.substring("stream=".length()), UTF_8);
                return streams.stream()
                        .filter(stream -> stream.stream().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new CallException(404, "there is no stream " + name));
            }
        }
        return streams.getFirst();
    }

    /** A dry run, with the present traffic or with other demands and capacities. */
    private Reply plan(HttpExchange call) throws IOException {
        byte[] body = call.getRequestBody().readNBytes(MOST_BODY_BYTES);
        View view = stream(call).view();
        if (view.load().partitions().isEmpty()) {
            throw new CallException(503, "the topic is not known yet");
        }
        try {
            JsonNode wishes = body.length == 0 ? JSON.createObjectNode() : JSON.readTree(body);
            Capacities capacities = new Capacities(
                    wishes.path("partition_capacity")
                            .asDouble(options.capacities().partitionBytes()),
                    wishes.path("worker_capacity").asDouble(options.capacities().workerBytes()),
                    wishes.path("watermark").asDouble(options.capacities().watermark()));
            Map<String, Double> demands = new TreeMap<>();
            stream(call)
                    .input(view.load(), view.table())
                    .demands()
                    .forEach(demand -> demands.put(demand.tenant(), demand.demand()));
            wishes.path("demands")
                    .properties()
                    .forEach(demand ->
                            demands.put(demand.getKey(), demand.getValue().asDouble()));
            List<TenantDemand> requested = new ArrayList<>();
            demands.forEach((tenant, demand) -> requested.add(new TenantDemand(tenant, demand)));
            Plan plan = new LevelPlanner()
                    .plan(new PlanInput(
                            view.load().cluster(capacities),
                            requested,
                            stream(call).input(view.load(), view.table()).before()));
            return json(Answers.plan(plan, view.table()));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new CallException(400, "not a plan request: " + e.getMessage());
        }
    }

    private Reply metricsReply() {
        return new Reply(200, "text/plain; version=0.0.4", metrics());
    }

    private String metrics() {
        PrometheusText text = new PrometheusText();
        text.add("cordwood_balancer_leader", "1 if this balancer writes tables", "", lease.isHeld() ? 1 : 0);
        disks.addTo(text);
        for (StreamBalancer stream : streams) {
            View view = stream.view();
            String label = PrometheusText.labels(Map.of("stream", stream.stream()));
            text.add("cordwood_balancer_rounds_total", "successful rounds", label, count(rounds, stream));
            text.add("cordwood_balancer_round_failures_total", "failed rounds", label, count(failures, stream));
            text.add("cordwood_balancer_table_version", "version in force", label, (double)
                    view.table().version());
            text.add(
                    "cordwood_balancer_tenants",
                    "tenants with traffic",
                    label,
                    view.load().tenants().size());
            text.add(
                    "cordwood_balancer_hot_spots",
                    "hot partitions and workers",
                    label,
                    view.hot().size());
            add(text, stream.stream(), view.load());
            view.now().ifPresent(now -> {
                text.add("cordwood_balancer_routes", "routes in force", label, now.routeCount());
                text.add("cordwood_balancer_utilisation", "highest utilisation by the table", label, now.utilisation());
                text.add("cordwood_balancer_lambda", "smallest possible utilisation", label, now.lambda());
            });
        }
        return text + CertificateMetrics.toPrometheus(options.access().map(BalancerAccess::keystore));
    }

    private static void add(PrometheusText text, String stream, Load load) {
        load.partitions().forEach((number, partition) -> {
            String label = PrometheusText.labels(Map.of("stream", stream, "partition", Integer.toString(number)));
            text.add("cordwood_balancer_partition_bytes_per_second", "arriving bytes", label, partition.bytes());
            text.add("cordwood_balancer_partition_lag_records", "records not in tables yet", label, (double)
                    partition.lag());
        });
        load.workers().forEach(worker -> {
            String label = PrometheusText.labels(Map.of("stream", stream, "worker", worker.worker()));
            text.add("cordwood_balancer_worker_bytes_per_second", "consumed bytes", label, worker.bytes());
            text.add(
                    "cordwood_balancer_worker_busy",
                    "share of its time that it works",
                    label,
                    worker.usage().busy());
        });
        load.tenants().entrySet().stream()
                .sorted(Comparator.comparingDouble((Map.Entry<String, Load.TenantRate> tenant) ->
                                -tenant.getValue().bytes())
                        .thenComparing(Map.Entry::getKey))
                .limit(MOST_TENANTS)
                .forEach(tenant -> text.add(
                        "cordwood_balancer_tenant_bytes_per_second",
                        "bytes sent by each of the largest tenants",
                        PrometheusText.labels(Map.of("stream", stream, "tenant", tenant.getKey())),
                        tenant.getValue().bytes()));
    }

    private static double count(Map<String, AtomicLong> counts, StreamBalancer stream) {
        AtomicLong count = counts.get(stream.stream());
        return count == null ? 0 : (double) count.get();
    }

    private static Reply page() throws IOException {
        try (InputStream page = BalancerHttp.class.getResourceAsStream("balancer.html")) {
            return new Reply(200, "text/html", new String(page.readAllBytes(), UTF_8));
        }
    }

    /** Counts a successful round of a stream. */
    void succeeded(String stream) {
        rounds.computeIfAbsent(stream, unknown -> new AtomicLong()).incrementAndGet();
    }

    /** Counts a failed round of a stream. */
    void failed(String stream) {
        failures.computeIfAbsent(stream, unknown -> new AtomicLong()).incrementAndGet();
    }

    void start() {
        server.start();
        metricsServer.ifPresent(HttpServer::start);
    }

    URI uri() {
        return URI.create("%s://%s:%d"
                .formatted(
                        callers.isPresent() ? "https" : "http",
                        options.host(),
                        server.getAddress().getPort()));
    }

    @Override
    public void close() {
        server.stop(0);
        metricsServer.ifPresent(metrics -> metrics.stop(0));
        callers.ifPresent(Callers::close);
    }
}
