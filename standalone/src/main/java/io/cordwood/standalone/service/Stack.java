package io.cordwood.standalone.service;

import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.ServiceSpec;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The services of a stack and their addresses. Immutable.
 *
 * @param services the services to run as processes here, each after its dependencies
 * @param endpoints all addresses, including those of external services
 */
public record Stack(List<ServiceSpec> services, Endpoints endpoints) {
    public Stack {
        services = List.copyOf(services);
    }

    /**
     * Plans the stack of a home: chooses its ports, and creates the topics if Kafka is external.
     *
     * @throws CordwoodException if a port is used by another program, something is not built, or an external service
     *     does not answer
     */
    public static Stack plan(Home home, Installation installation, StackOptions options) throws InterruptedException {
        if (options.iceberg()) {
            IcebergCatalog.check(installation);
        }
        List<String> listening = new ArrayList<>();
        if (options.kafka().isEmpty()) {
            listening.add(KafkaService.NAME);
            listening.add(KafkaService.CONTROLLER);
            listening.add(MetricsExporter.BROKER.portName());
        }
        if (options.redis().isEmpty()) {
            listening.add(RedisService.NAME);
        }
        if (options.catalog().isEmpty()) {
            listening.add(CatalogService.NAME);
        }
        if (options.secrets().isPresent()) {
            listening.add(CatalogService.METRICS);
            listening.add(BalancerService.METRICS);
            listening.add(SearchService.METRICS);
            listening.add(GatewayService.METRICS);
        }
        listening.addAll(List.of(
                FlinkService.NAME,
                MetricsExporter.INGEST.portName(),
                CompactionService.NAME,
                MetricsExporter.COMPACTION.portName(),
                BalancerService.NAME,
                TrinoService.NAME,
                MetricsExporter.TRINO.portName(),
                SearchService.NAME,
                GatewayService.NAME,
                GatewayService.OTLP_GRPC,
                GatewayService.SYSLOG));
        Ports ports = Ports.of(home, listening);
        ports.checkFree(listening);
        return plan(home, installation, options, ports);
    }

    private static Stack plan(Home home, Installation installation, StackOptions options, Ports ports)
            throws InterruptedException {
        Optional<Secrets> secrets = options.secrets();
        secrets.ifPresent(own -> own.prepare(ports.address(RedisService.NAME)));
        String kafka = options.kafka().orElseGet(() -> ports.address(KafkaService.NAME));
        String redis = options.redis().orElseGet(() -> RedisService.url(ports, secrets));
        String catalog = options.catalog().orElseGet(() -> CatalogService.url(ports, secrets));
        String warehouse = warehouse(home, options);
        String database = options.catalogDatabase().orElseGet(home::catalogDatabase);
        Topics topics = Topics.ofStack(kafka, options);
        TrinoCatalog trinoCatalog = TrinoCatalog.of(catalog, kafka, redis, options);

        Optional<IcebergCatalog> iceberg = options.iceberg()
                ? Optional.of(new IcebergCatalog(catalog, warehouse, options.s3(), secrets))
                : Optional.empty();

        List<ServiceSpec> services = new ArrayList<>();
        if (options.kafka().isEmpty()) {
            services.add(KafkaService.spec(home, installation, ports, topics, secrets, KafkaService.LONGEST_LOGIN));
        } else {
            topics.createInExternalKafka();
        }
        if (options.redis().isEmpty()) {
            services.add(RedisService.spec(home, ports, secrets));
        }
        if (options.catalog().isEmpty()) {
            services.add(CatalogService.spec(
                    home, installation, ports, database, warehouse, options.s3(), secrets, options.issuer()));
        }
        services.add(TrinoService.spec(
                home, installation, ports, TrinoNode.alone(ports, secrets), trinoCatalog, iceberg, secrets));
        services.add(SearchService.spec(
                home,
                installation,
                ports,
                options,
                kafka,
                redis,
                catalog,
                Optional.of(TrinoService.url(ports, secrets))));
        services.add(GatewayService.spec(home, installation, ports, options, kafka, redis, catalog));
        services.add(FlinkService.spec(
                home, installation, ports, options, Optional.empty(), kafka, redis, catalog, warehouse));
        services.add(CompactionService.spec(home, installation, ports, options, catalog));
        services.add(BalancerService.spec(
                home, installation, ports, options, kafka, redis, catalog, FlinkService.url(ports, secrets)));
        PrometheusFile.write(home, installation, targets(options, ports));
        return new Stack(
                services,
                new Endpoints(
                        kafka,
                        redis,
                        catalog,
                        FlinkService.url(ports, secrets),
                        CompactionService.url(ports, secrets),
                        BalancerService.url(ports, secrets),
                        TrinoService.url(ports, secrets),
                        SearchService.url(ports, secrets),
                        GatewayService.url(ports, secrets),
                        ports.address(GatewayService.OTLP_GRPC),
                        ports.address(GatewayService.SYSLOG),
                        warehouse,
                        secrets.map(own -> own.authorities().toString()).orElse("")));
    }

    /** The metrics addresses of the components that run here, for Prometheus. */
    private static Map<String, String> targets(StackOptions options, Ports ports) {
        Map<String, String> targets = new TreeMap<>();
        if (options.kafka().isEmpty()) {
            targets.put(MetricsExporter.BROKER.component(), ports.address(MetricsExporter.BROKER.portName()));
        }
        if (options.catalog().isEmpty()) {
            targets.put(
                    CatalogService.NAME,
                    ports.address(options.secrets().isPresent() ? CatalogService.METRICS : CatalogService.NAME));
        }
        for (MetricsExporter exporter :
                List.of(MetricsExporter.INGEST, MetricsExporter.COMPACTION, MetricsExporter.TRINO)) {
            targets.put(exporter.component(), ports.address(exporter.portName()));
        }
        targets.put(
                BalancerService.NAME,
                ports.address(options.secrets().isPresent() ? BalancerService.METRICS : BalancerService.NAME));
        targets.put(
                SearchService.NAME,
                ports.address(options.secrets().isPresent() ? SearchService.METRICS : SearchService.NAME));
        targets.put(
                GatewayService.NAME,
                ports.address(options.secrets().isPresent() ? GatewayService.METRICS : GatewayService.NAME));
        return targets;
    }

    private static String warehouse(Home home, StackOptions options) {
        if (options.warehouse().isPresent()) {
            return options.warehouse().get();
        }
        try {
            Files.createDirectories(home.warehouse());
        } catch (IOException e) {
            throw new CordwoodException("cannot make the warehouse: " + Errors.text(e), e);
        }
        return home.warehouseLocation();
    }
}
