package io.cordwood.standalone.service;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.protocol.TokenRequest;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.Token;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.error.Errors;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.PidFile;
import io.cordwood.standalone.process.ProcessStopper;
import io.cordwood.standalone.process.ServiceStatus;
import io.cordwood.standalone.process.StatusFile;
import io.cordwood.standalone.process.Supervisor;
import io.cordwood.standalone.secret.Account;
import io.cordwood.standalone.secret.KafkaUsers;
import io.cordwood.standalone.secret.Secrets;
import io.cordwood.standalone.secret.Servers;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.ClientKillParams;

/** The services of a stack that its supervisor runs, whichever process that is. Thread-safe. */
public final class RunningServers implements Servers {
    /** For a service that writes its classes as it ends. */
    private static final Duration STOP_LIMIT = Duration.ofMinutes(2);

    private static final Duration READY_LIMIT = Duration.ofMinutes(10);
    private static final Duration USE_LIMIT = Duration.ofMinutes(1);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final String LOOPBACK = "127.0.0.1";

    /** The services that take a new certificate only when they start. */
    private static final List<String> RESTARTED = List.of(FlinkService.NAME, CompactionService.NAME);

    private static final Map<String, List<String>> PORTS = Map.of(
            KafkaService.NAME,
            List.of(KafkaService.NAME, KafkaService.CONTROLLER),
            RedisService.NAME,
            List.of(RedisService.NAME),
            CatalogService.NAME,
            List.of(CatalogService.NAME),
            TrinoService.NAME,
            List.of(TrinoService.NAME),
            SearchService.NAME,
            List.of(SearchService.NAME),
            GatewayService.NAME,
            List.of(GatewayService.NAME),
            FlinkService.NAME,
            List.of(FlinkService.NAME),
            CompactionService.NAME,
            List.of(CompactionService.NAME),
            BalancerService.NAME,
            List.of(BalancerService.NAME));

    private final Home home;
    private final Secrets secrets;
    private final Ports ports;

    /**
     * @param home the home of a stack that is ready
     * @throws CordwoodException if nobody would start a service again that ends
     */
    public RunningServers(Home home, Secrets secrets) {
        this.home = requireNonNull(home, "home is null");
        requireSupervisor();
        this.secrets = requireNonNull(secrets, "secrets is null");
        ports = Ports.of(home, PORTS.values().stream().flatMap(List::stream).toList());
    }

    private void requireSupervisor() {
        if (new PidFile(home.run(), Supervisor.NAME).running().isEmpty()) {
            throw new CordwoodException(
                    "the stack in %s is not supervised: start it with `bin/cordwood up`, then run this again"
                            .formatted(home.directory()));
        }
    }

    /** The address of Redis, as its clients' files have it. */
    public String redis() {
        return ports.address(RedisService.NAME);
    }

    @Override
    public String createToken(String user) throws IOException {
        try (CatalogClient catalog = catalog()) {
            return catalog.createToken(user, TokenRequest.requests(Optional.empty(), Optional.of(Token.MAX_LIFE)))
                    .token();
        } catch (CatalogException e) {
            throw new IOException(Errors.text(e), e);
        }
    }

    @Override
    public void revokeToken(String id) throws IOException {
        try (CatalogClient catalog = catalog()) {
            catalog.revokeToken(id);
        } catch (CatalogException e) {
            // Some time after it expired, the catalog forgets it
            if (e.status() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw new IOException(Errors.text(e), e);
            }
        }
    }

    /** Iceberg's own connector of Trino has the token of {@code query} in its configuration. */
    @Override
    public List<String> readersAtStart(String user) {
        return user.equals(ServiceRole.QUERY.label())
                        && IcebergCatalog.isIn(TrinoService.catalogs(home, TrinoService.NAME))
                ? List.of(TrinoService.NAME)
                : List.of();
    }

    private CatalogClient catalog() {
        return CatalogClient.connect(
                URI.create(CatalogService.url(ports, Optional.of(secrets))),
                Map.of(
                        CatalogClient.CA_FILE,
                        secrets.authorities().toString(),
                        CatalogClient.TOKEN_FILE,
                        secrets.operatorToken().toString()));
    }

    @Override
    public void setKafkaPassword(Account account, String password) throws IOException, InterruptedException {
        try {
            setPassword(account, password);
        } catch (ExecutionException e) {
            // The admin's own may be set already, by a rotation that was interrupted
            boolean again = e.getCause() instanceof SaslAuthenticationException
                    && account == Account.ADMIN
                    && secrets.adoptKafkaPassword(account);
            if (!again) {
                throw new IOException("Kafka: " + Errors.text(e.getCause()), e);
            }
        }
    }

    private void setPassword(Account account, String password)
            throws IOException, ExecutionException, InterruptedException {
        try (Admin admin = kafka(Account.ADMIN)) {
            new KafkaUsers(admin).setPassword(account.user(), password);
        }
    }

    @Override
    public void awaitKafkaLogin(Account account) throws IOException, InterruptedException {
        await("Kafka to let %s in".formatted(account.user()), USE_LIMIT, () -> {
            try (Admin admin = kafka(account)) {
                return !admin.describeCluster().nodes().get().isEmpty();
            } catch (ExecutionException e) {
                return false;
            }
        });
    }

    private Admin kafka(Account account) throws IOException {
        Properties properties = secrets.kafkaClient(account);
        properties.put("bootstrap.servers", ports.address(KafkaService.NAME));
        properties.put("request.timeout.ms", TIMEOUT_MILLIS);
        properties.put("default.api.timeout.ms", TIMEOUT_MILLIS);
        try {
            return Admin.create(properties);
        } catch (KafkaException e) {
            throw new IOException("Kafka: " + Errors.text(e), e);
        }
    }

    @Override
    public void setRedisPasswords(Account account, List<String> passwords) throws IOException {
        List<String> rules = new ArrayList<>(List.of("resetpass"));
        rules.addAll(RedisUsers.hashes(passwords));
        try (Jedis jedis = redisAdmin()) {
            jedis.aclSetUser(account.user(), rules.toArray(String[]::new));
        } catch (JedisException e) {
            throw new IOException("Redis: " + Errors.text(e), e);
        }
    }

    @Override
    public void closeRedisConnections(Account account) throws IOException {
        try (Jedis jedis = redisAdmin()) {
            jedis.clientKill(ClientKillParams.clientKillParams().user(account.user()));
        } catch (JedisException e) {
            throw new IOException("Redis: " + Errors.text(e), e);
        }
    }

    private Jedis redisAdmin() throws IOException {
        return new Jedis(
                () -> {
                    try {
                        return socket(RedisService.NAME);
                    } catch (IOException e) {
                        throw new JedisConnectionException(e);
                    }
                },
                DefaultJedisClientConfig.builder()
                        .user(Account.ADMIN.user())
                        .password(secrets.redisPassword(Account.ADMIN))
                        .socketTimeoutMillis(TIMEOUT_MILLIS)
                        .build());
    }

    @Override
    public void useCertificate(String service) throws IOException, InterruptedException {
        if (service.equals(RedisService.NAME)) {
            try (Jedis jedis = redisAdmin()) {
                // The same name: Redis reads the file again
                jedis.configSet("tls-cert-file", secrets.certificate(service).toString());
            } catch (JedisException e) {
                throw new IOException("Redis: " + Errors.text(e), e);
            }
        } else if (RESTARTED.contains(service)) {
            restart(service);
        }
        for (String port : PORTS.getOrDefault(service, List.of())) {
            await("%s to use its new certificate".formatted(service), USE_LIMIT, () -> serves(port, service));
        }
    }

    private boolean serves(String port, String service) throws IOException {
        try (SSLSocket socket = socket(port)) {
            socket.startHandshake();
            Certificate served = socket.getSession().getPeerCertificates()[0];
            return served.equals(secrets.certificateOf(service));
        }
    }

    /** A connection that proves who we are, and that the other is a service of this stack. */
    private SSLSocket socket(String port) throws IOException {
        Socket plain = new Socket();
        plain.setSoTimeout(TIMEOUT_MILLIS);
        plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.of(port)), TIMEOUT_MILLIS);
        SSLSocket socket = (SSLSocket)
                secrets.operatorTls().getSocketFactory().createSocket(plain, LOOPBACK, ports.of(port), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        return socket;
    }

    @Override
    public void restart(String service) throws IOException, InterruptedException {
        requireSupervisor();
        // One that has ended by itself is about to be started
        Optional<ProcessHandle> process = new PidFile(home.run(), service).running();
        if (process.isPresent()) {
            ProcessStopper.stop(process.get(), STOP_LIMIT);
        }
        long ended = process.map(ProcessHandle::pid).orElse(0L);
        await("%s to be ready again; see %s".formatted(service, home.log(service)), READY_LIMIT, () -> {
            requireSupervisor();
            return status(service)
                    .filter(status -> status.state() == ServiceStatus.State.READY && status.pid() != ended)
                    .isPresent();
        });
    }

    private Optional<ServiceStatus> status(String service) {
        return StatusFile.read(home.statusFile()).stream()
                .flatMap(file -> file.services().stream())
                .filter(status -> status.name().equals(service))
                .findFirst();
    }

    @Override
    public void pause(Duration time) throws InterruptedException {
        Thread.sleep(time);
    }

    /** A question to a service, which may not answer yet. */
    @FunctionalInterface
    private interface Question {
        boolean isTrue() throws IOException, InterruptedException;
    }

    private static void await(String what, Duration limit, Question question) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        Optional<IOException> last = Optional.empty();
        while (System.nanoTime() < deadline) {
            try {
                if (question.isTrue()) {
                    return;
                }
                last = Optional.empty();
            } catch (IOException e) {
                last = Optional.of(e);
            }
            Thread.sleep(POLL);
        }
        throw new IOException(
                "waited %d s for %s%s"
                        .formatted(
                                limit.toSeconds(),
                                what,
                                last.map(e -> " (" + Errors.text(e) + ")").orElse("")),
                last.orElse(null));
    }
}
