package io.cordwood.standalone;

import io.cordwood.catalog.access.RenewedToken;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.option.TenantId;
import io.cordwood.identity.PemFiles;
import io.cordwood.standalone.catalog.StackCatalog;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.ClientProperties;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.secret.Account;
import io.cordwood.standalone.secret.Login;
import io.cordwood.standalone.secret.Secrets;
import io.cordwood.standalone.ship.LineShipper;
import io.cordwood.standalone.ship.LogInputs;
import io.cordwood.standalone.ship.Shipment;
import io.cordwood.standalone.ship.Shipper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code produce}: ships lines or ndjson for one tenant. */
@Command(
        name = "produce",
        description = "Ships log lines, from files or standard input. A line that is not a JSON object is sent as"
                + " {\"message\": line}. Files named .gz, .xz or .zst are decompressed.")
final class ProduceCommand implements Callable<Integer> {
    /** Below half the life of a token for records, so that a slow catalog ends no shipment. */
    private static final Duration TOKEN_INTERVAL = Duration.ofMinutes(20);
    /** Well below the time between a new token and the end of the old one, when the operator's is replaced. */
    private static final Duration SUBJECT_INTERVAL = Duration.ofSeconds(1);

    @Spec
    private CommandSpec spec;

    @Mixin
    private HomeOptions homeOptions;

    @Mixin
    private TokenOptions tokenOptions;

    @Option(
            names = "--tenant",
            converter = TenantId.class,
            required = true,
            paramLabel = "T",
            description = "the tenant that the lines belong to")
    private String tenant;

    @Option(
            names = "--stream",
            paramLabel = "S",
            defaultValue = "logs",
            description = "the stream that takes them (default: logs)")
    private String stream;

    @Option(
            names = "--kafka-properties",
            paramLabel = "FILE",
            description = "properties of the Kafka client (SASL, TLS)")
    private Path kafkaProperties;

    @Option(
            names = "--batch",
            description = "ship lines that are read together as one record, up to 1,000 lines or 256 KB: less work for"
                    + " Kafka and the ingest job")
    private boolean batch;

    @Parameters(paramLabel = "FILE", description = "files (default: standard input)")
    private List<Path> files = List.of();

    @Override
    public Integer call() throws InterruptedException {
        LogInputs inputs = LogInputs.of(files);
        Endpoints endpoints = Endpoints.read(homeOptions.home());
        Identity identity = identity(endpoints, tokenOptions.login(endpoints));
        Properties client = identity.kafka();
        // The balancer may throttle a tenant to its share by this client id.
        client.putIfAbsent("client.id", tenant);
        long begun = System.nanoTime();
        try (Shipper shipper = Shipper.connect(endpoints.kafka(), identity.redis(), stream, client, identity.token())) {
            try {
                ship(inputs, shipper);
            } catch (CordwoodException e) {
                throw new CordwoodException(
                        "%s (%,d %s before it were acknowledged)"
                                .formatted(e.getMessage(), shipper.shipment().acknowledged(), unit()),
                        e);
            }
            report(shipper.shipment(), Duration.ofNanos(System.nanoTime() - begun));
            return 0;
        }
    }

    /**
     * What proves that the records may be shipped.
     *
     * @param kafka properties of the Kafka client
     * @param redis address of Redis
     * @param token goes with each record
     */
    private record Identity(Properties kafka, String redis, Optional<Supplier<String>> token) {}

    private Identity identity(Endpoints endpoints, Login login) {
        Properties kafka = Optional.ofNullable(kafkaProperties)
                .map(ClientProperties::load)
                // A long shipment outlives a password or a certificate
                .or(() -> login.secrets().map(secrets -> secrets.kafkaClient(Account.PRODUCER)))
                .orElseGet(Properties::new);
        if (login.secrets().isEmpty()) {
            return new Identity(kafka, endpoints.redis(), Optional.empty());
        }
        Secrets secrets = login.secrets().get();
        try {
            // Redis's client knows only what Java trusts by default
            SSLContext.setDefault(PemFiles.trusting(secrets.authorities()));
            Supplier<String> token = new RenewedToken(
                    () -> token(endpoints, login), login::currentToken, TOKEN_INTERVAL, SUBJECT_INTERVAL);
            return new Identity(
                    kafka,
                    // Without routes, records go to the partition of their tenant's hash
                    secrets.mayRead(Account.PRODUCER) ? secrets.redisUrl(Account.PRODUCER, endpoints.redis()) : "",
                    Optional.of(token));
        } catch (IOException e) {
            throw new CordwoodException("cannot ship for tenant %s: %s".formatted(tenant, Errors.text(e)), e);
        }
    }

    /** A token for records of this tenant and stream alone. */
    private String token(Endpoints endpoints, Login login) {
        try (CatalogClient catalog = StackCatalog.connect(endpoints, login)) {
            return catalog.recordToken(tenant, Set.of(stream)).token();
        } catch (CatalogException e) {
            throw new CordwoodException("cannot ship for tenant %s: %s".formatted(tenant, Errors.text(e)), e);
        }
    }

    private void ship(LogInputs inputs, Shipper shipper) {
        try (ProgressBar bar = ProgressBar.on(spec.commandLine().getErr())) {
            bar.watch(
                    inputs::fractionRead,
                    () -> "%,d %s acknowledged".formatted(shipper.shipment().acknowledged(), unit()));
            try {
                inputs.forEach(new LineShipper(shipper, tenant, batch)::ship);
            } finally {
                shipper.flush();
            }
        }
    }

    private void report(Shipment shipment, Duration took) {
        if (shipment.acknowledged() < shipment.sent()) {
            throw new CordwoodException("only %,d of %,d %s were acknowledged: %s"
                    .formatted(shipment.acknowledged(), shipment.sent(), unit(), shipment.failure()));
        }
        PrintWriter out = spec.commandLine().getOut();
        double seconds = Math.max(took.toMillis(), 1) / 1e3;
        out.printf(
                "%,d %s acknowledged, %.1f MB, %.1f s, %,.0f %s/s%n",
                shipment.acknowledged(),
                unit(),
                shipment.bytes() / 1e6,
                seconds,
                shipment.acknowledged() / seconds,
                unit());
    }

    /** What is counted: a batch has several rows. */
    private String unit() {
        return batch ? "rows" : "records";
    }
}
