package io.cordwood.gateway;

import io.cordwood.catalog.access.Callers;
import io.cordwood.catalog.access.Polled;
import io.cordwood.catalog.access.RenewedToken;
import io.cordwood.catalog.access.RulesUnavailableException;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.tenant.AccessRules;
import io.cordwood.gateway.door.Door;
import io.cordwood.gateway.door.DoorHandler;
import io.cordwood.gateway.door.GatewayMetrics;
import io.cordwood.gateway.door.Intake;
import io.cordwood.gateway.elastic.ElasticDoor;
import io.cordwood.gateway.loki.LokiDoor;
import io.cordwood.gateway.otlp.OtlpDoor;
import io.cordwood.gateway.otlp.OtlpGrpcServer;
import io.cordwood.gateway.plain.PlainDoor;
import io.cordwood.gateway.refusal.RefusedException;
import io.cordwood.gateway.send.InFlight;
import io.cordwood.gateway.send.RecordSender;
import io.cordwood.gateway.splunk.SplunkDoor;
import io.cordwood.gateway.syslog.SyslogServer;
import io.cordwood.gateway.tenant.Shippers;
import io.cordwood.http.HttpServers;
import io.cordwood.http.PathHandler;
import io.cordwood.http.Reply;
import io.cordwood.http.SiteGuard;
import io.cordwood.identity.CertificateMetrics;
import io.cordwood.identity.Loopback;
import io.cordwood.identity.PemFiles;
import io.cordwood.options.Program;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * The ingest gateway: takes logs over HTTP and writes them to Kafka. Thread-safe.
 *
 * <p>It has no state, so any number of them may run. It answers success only for rows that Kafka has acknowledged; a
 * client that gets another answer, or none, sends again.
 */
public final class GatewayServer implements AutoCloseable {
    /** Well below the life of a token for records, which is an hour. */
    private static final Duration TOKEN_INTERVAL = Duration.ofMinutes(20);

    private static final Duration SUBJECT_INTERVAL = Duration.ofSeconds(5);

    private final CatalogConnection catalog;
    private final RecordSender sender;
    private final OtlpGrpcServer otlpGrpc;
    private final HttpServers servers;
    private final Optional<SyslogServer> syslog;

    private GatewayServer(
            CatalogConnection catalog,
            RecordSender sender,
            OtlpGrpcServer otlpGrpc,
            HttpServers servers,
            Optional<SyslogServer> syslog) {
        this.catalog = catalog;
        this.sender = sender;
        this.otlpGrpc = otlpGrpc;
        this.servers = servers;
        this.syslog = syslog;
    }

    /**
     * Starts the gateway and returns once it takes requests. It connects to Kafka and Redis at first use.
     *
     * @throws IOException if it cannot listen on an address, or read a file
     * @throws CatalogException if senders need API keys and the catalog service does not answer
     */
    public static GatewayServer start(GatewayOptions options) throws IOException {
        CatalogConnection catalog = new CatalogConnection(options.catalog(), options.catalogProperties());
        RecordSender sender = RecordSender.connect(
                options.kafka(), options.redis(), options.maxInFlightBytes() / 2, token(options, catalog));
        InFlight inFlight = new InFlight(options.maxInFlightBytes(), options.maxInFlightBytesOfTenant());
        GatewayMetrics metrics = new GatewayMetrics(inFlight);
        Intake intake = new Intake(
                new Shippers(!options.isClosed(), callers(options, catalog), catalog),
                options.streams(),
                options.maxRequestBytes(),
                inFlight,
                sender,
                metrics);
        // Elasticsearch's paths begin with any name
        List<Door> doors =
                List.of(new PlainDoor(), new OtlpDoor(), new LokiDoor(), new SplunkDoor(), new ElasticDoor());
        Handler health = new PathHandler("/health", () -> Reply.json("{\"status\":\"up\"}"));
        Handler prometheus = new PathHandler(
                "/metrics",
                () -> Reply.text(metrics.toPrometheus()
                        + CertificateMetrics.toPrometheus(options.http().tlsKeystore())));
        List<Handler> service = new ArrayList<>(List.of(new DoorHandler(doors, intake, metrics), health));
        if (!options.isClosed()) {
            service.add(prometheus);
        }
        service.add(new NotFound());
        OtlpGrpcServer otlpGrpc = OtlpGrpcServer.start(
                new OtlpGrpcServer.Settings(
                        options.http().host(),
                        options.otlpGrpcPort(),
                        options.http().tlsKeystore(),
                        options.maxRequestBytes()),
                intake,
                metrics);
        try {
            Optional<SyslogServer> syslog = syslog(options, intake, metrics);
            HttpServers servers = HttpServers.start(
                    options.http(),
                    guarded(options, new Handler.Sequence(service)),
                    new Handler.Sequence(health, prometheus, new NotFound()));
            return new GatewayServer(catalog, sender, otlpGrpc, servers, syslog);
        } catch (IOException e) {
            otlpGrpc.close();
            throw e;
        }
    }

    private static Optional<SyslogServer> syslog(GatewayOptions options, Intake intake, GatewayMetrics metrics)
            throws IOException {
        if (options.syslogPort().isEmpty()) {
            return Optional.empty();
        }
        Optional<SSLContext> tls = options.http().tlsKeystore().isEmpty()
                ? Optional.empty()
                : Optional.of(PemFiles.serving(options.http().tlsKeystore().get()));
        return Optional.of(SyslogServer.start(
                intake, metrics, options.http().host(), options.syslogPort().getAsInt(), options.syslogUdpPort(), tls));
    }

    /** Pages of other sites must not write to an open gateway on loopback through somebody's browser. */
    private static Handler guarded(GatewayOptions options, Handler service) {
        return options.isClosed() || !Loopback.is(options.http().host())
                ? service
                : new SiteGuard(
                        service,
                        options.allowedHosts(),
                        refusal -> Reply.plain(refusal.status(), refusal.getMessage()));
    }

    private static Callers callers(GatewayOptions options, CatalogConnection catalog) {
        if (!options.isClosed()) {
            return Callers.open();
        }
        Polled<AccessRules> access =
                new Polled<>("access rules", () -> catalog.get().pollAccessRules()).start();
        return Callers.withTokens(
                () -> catalog.get().tokenRules(), () -> access.get().orElseThrow(RulesUnavailableException::new));
    }

    /** What proves that the gateway may name the tenant of each record. */
    private static Optional<Supplier<String>> token(GatewayOptions options, CatalogConnection catalog) {
        if (!options.isClosed()) {
            return Optional.empty();
        }
        RenewedToken token = new RenewedToken(
                () -> catalog.get().recordTokenOfGateway().token(),
                () -> catalog.get().currentToken().orElse(""),
                TOKEN_INTERVAL,
                SUBJECT_INTERVAL);
        return Optional.of(() -> {
            try {
                return token.get();
            } catch (CatalogException e) {
                throw RefusedException.unavailable("The catalog service does not answer: send again later", e);
            }
        });
    }

    /** Answers all that no door knows. */
    private static final class NotFound extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            Reply.json(404, "{\"error\":{\"code\":\"not_found\",\"message\":\"There is no such path\"}}")
                    .write(request, response, callback);
            return true;
        }
    }

    /** Address of the gateway. */
    public URI uri() {
        return servers.uri();
    }

    /** Host and port for OTLP over gRPC. */
    public String otlpGrpcAddress() {
        return otlpGrpc.address();
    }

    /** Address of the metrics, if they have a port of their own. */
    public Optional<URI> metricsUri() {
        return servers.metricsUri();
    }

    /** Where it takes syslog, if it does. */
    public Optional<SyslogServer> syslog() {
        return syslog;
    }

    /** Stops after the requests under way. */
    @Override
    public void close() {
        servers.close();
        syslog.ifPresent(SyslogServer::close);
        otlpGrpc.close();
        sender.close();
        catalog.close();
    }

    /** Runs the gateway until the process is asked to stop. Fails with one line. */
    public static void main(String[] arguments) {
        System.exit(Program.run("gateway", new Run(), Set.of(IOException.class, RuntimeException.class), arguments));
    }

    @Command(
            name = "GatewayServer",
            mixinStandardHelpOptions = true,
            description = "Takes logs over HTTP and writes them to Kafka.")
    private static final class Run implements Callable<Integer> {
        @Mixin
        private GatewayFlags flags;

        @Override
        public Integer call() throws IOException, InterruptedException {
            GatewayServer service = start(flags.options());
            Runtime.getRuntime().addShutdownHook(new Thread(service::close, "gateway-shutdown"));
            System.out.println("gateway: OTLP over gRPC at " + service.otlpGrpcAddress());
            System.out.println("gateway: listening on " + service.uri());
            service.servers.join();
            return 0;
        }
    }
}
