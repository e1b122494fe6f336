package io.cordwood.standalone.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.standalone.Program;
import io.cordwood.standalone.error.CordwoodException;
import io.cordwood.standalone.home.ClientProperties;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.Installation;
import io.cordwood.standalone.home.Ports;
import io.cordwood.standalone.process.PidFile;
import io.cordwood.standalone.process.ProcessIdentity;
import io.cordwood.standalone.process.ServiceSpec;
import io.cordwood.standalone.process.Supervisor;
import io.cordwood.standalone.secret.Account;
import io.cordwood.standalone.secret.Rotation;
import io.cordwood.standalone.secret.SecretName;
import io.cordwood.standalone.secret.Secrets;
import io.cordwood.standalone.secret.ShipperLogins;
import java.io.StringReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.quota.ClientQuotaFilterComponent;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** Kafka and Redis of a stack with authentication, without the services that use them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClosedServicesIT {
    private static final Duration READY = Duration.ofMinutes(2);
    /** Short, so that tests see connections log in again. */
    private static final Duration LOGIN = Duration.ofSeconds(5);

    private static final String DEAD_LETTERS = "logs.dlq";

    private Home home;
    private Ports ports;
    private Secrets secrets;
    private Supervisor supervisor;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        home = new Home(directory.resolve("home"));
        home.create();
        Secrets.ownerOnly(home.directory());
        ports = Ports.of(
                home,
                List.of(
                        KafkaService.NAME,
                        KafkaService.CONTROLLER,
                        MetricsExporter.BROKER.portName(),
                        RedisService.NAME));
        secrets = new Secrets(home.secrets());
        secrets.prepare(ports.address(RedisService.NAME));
        Installation installation = new Installation(Program.root());
        Topics topics = Topics.ofStack(
                ports.address(KafkaService.NAME), StackOptions.defaults().with(secrets));
        List<ServiceSpec> services = List.of(
                KafkaService.spec(home, installation, ports, topics, Optional.of(secrets), LOGIN),
                RedisService.spec(home, ports, Optional.of(secrets)));
        supervisor = new Supervisor(home, services, status -> {});
        supervisor.start();
        supervisor.awaitReady(READY);
        try (Admin ingest = Admin.create(client(Account.INGEST))) {
            ingest.createTopics(List.of(new NewTopic(DEAD_LETTERS, 1, (short) 1)))
                    .all()
                    .get();
        }
    }

    @AfterAll
    void stop() throws Exception {
        supervisor.stop();
    }

    private Properties client(Account account) {
        Properties properties = ClientProperties.load(secrets.kafkaProperties(account));
        properties.put("bootstrap.servers", ports.address(KafkaService.NAME));
        properties.put("default.api.timeout.ms", "60000");
        properties.put("request.timeout.ms", "30000");
        return properties;
    }

    private static KafkaProducer<byte[], byte[]> producer(Properties properties) {
        properties.put("max.block.ms", "60000");
        // A transaction manager may report the refusal first, as an error without a kind
        properties.putIfAbsent("enable.idempotence", "false");
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static void send(Properties properties, String topic) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(properties)) {
            producer.send(new ProducerRecord<>(topic, "acme".getBytes(StandardCharsets.UTF_8), new byte[] {'x'}))
                    .get();
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    private static int records(Properties properties, String topic) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            int records = 0;
            for (int poll = 0; poll < 10 && records == 0; poll++) {
                records += consumer.poll(Duration.ofSeconds(1)).count();
            }
            return records;
        }
    }

    @Test
    void secretsAreForTheirOwnerOnly() throws Exception {
        assertThat(mode(home.directory())).isEqualTo("rwx------");
        assertThat(mode(home.secrets())).isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(home.secrets())) {
            assertThat(files)
                    .isNotEmpty()
                    .allSatisfy(
                            file -> assertThat(mode(file)).as(file.toString()).isEqualTo("rw-------"));
        }
    }

    private static String mode(Path file) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void noSecretIsInArgumentsEnvironmentsOrLogs() throws Exception {
        List<String> passwords = new ArrayList<>();
        for (Account account : Account.values()) {
            passwords.add(secrets.kafkaPassword(account));
            passwords.add(secrets.redisPassword(account));
        }
        List<Path> places = new ArrayList<>();
        try (Stream<Path> logs = Files.list(home.logs())) {
            logs.forEach(places::add);
        }
        ProcessHandle.current().descendants().forEach(process -> {
            places.add(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
            places.add(Path.of("/proc", Long.toString(process.pid()), "environ"));
        });
        assertThat(places).hasSizeGreaterThanOrEqualTo(6);
        for (Path place : places) {
            String text = new String(Files.readAllBytes(place), StandardCharsets.ISO_8859_1);
            for (String password : passwords) {
                assertThat(text.contains(password))
                        .as("a password in %s", place)
                        .isFalse();
            }
        }
        try (Stream<Path> left = Files.list(home.configuration())) {
            assertThat(left).noneMatch(file -> file.toString().endsWith(".arguments"));
        }
    }

    @Test
    void attack33PlaintextAndWrongPasswordsAreRefused() throws Exception {
        Properties plain = new Properties();
        plain.put("bootstrap.servers", ports.address(KafkaService.NAME));
        plain.put("default.api.timeout.ms", "5000");
        plain.put("request.timeout.ms", "3000");
        try (Admin admin = Admin.create(plain)) {
            assertThatThrownBy(() -> admin.describeCluster().nodes().get()).hasCauseInstanceOf(TimeoutException.class);
        }
        Properties wrong = client(Account.PRODUCER);
        wrong.put(
                "sasl.jaas.config",
                secrets.scram(Account.PRODUCER).replace(secrets.kafkaPassword(Account.PRODUCER), "guessed"));
        try (Admin admin = Admin.create(wrong)) {
            assertThatThrownBy(() -> admin.describeCluster().nodes().get())
                    .hasCauseInstanceOf(SaslAuthenticationException.class);
        }
        try (Admin admin = Admin.create(client(Account.PRODUCER))) {
            assertThat(admin.describeTopics(List.of("logs")).allTopicNames().get())
                    .containsKey("logs");
        }
    }

    @Test
    void attack36ProducersReadNeitherStreamsNorDeadLetters() throws Exception {
        send(client(Account.PRODUCER), "logs");

        assertThatThrownBy(() -> records(client(Account.PRODUCER), "logs"))
                .isInstanceOf(TopicAuthorizationException.class);
        assertThatThrownBy(() -> records(client(Account.PRODUCER), DEAD_LETTERS))
                .isInstanceOf(TopicAuthorizationException.class);
        assertThatThrownBy(() -> send(client(Account.PRODUCER), DEAD_LETTERS))
                .isInstanceOf(TopicAuthorizationException.class);
        assertThat(records(client(Account.INGEST), "logs")).isPositive();
        assertThat(records(client(Account.QUERY), "logs")).isPositive();
        send(client(Account.INGEST), DEAD_LETTERS);
    }

    @Test
    void queriesAndTheBalancerWriteNoRecords() throws Exception {
        assertThatThrownBy(() -> send(client(Account.QUERY), "logs")).isInstanceOf(AuthorizationException.class);
        assertThatThrownBy(() -> send(client(Account.BALANCER), "logs")).isInstanceOf(AuthorizationException.class);
        assertThatThrownBy(() -> send(client(Account.INGEST), "logs")).isInstanceOf(AuthorizationException.class);
        assertThatThrownBy(() -> records(client(Account.BALANCER), "logs"))
                .isInstanceOf(TopicAuthorizationException.class);
        try (Admin balancer = Admin.create(client(Account.BALANCER))) {
            balancer.listOffsets(Map.of(new TopicPartition("logs", 0), OffsetSpec.latest()))
                    .all()
                    .get();
            balancer.createPartitions(Map.of("logs", NewPartitions.increaseTo(9)))
                    .all()
                    .get();
        }
    }

    @Test
    void attack37TransactionsOfProducersAreRefused() throws Exception {
        Properties transactional = client(Account.PRODUCER);
        transactional.put("transactional.id", "acme");
        transactional.put("enable.idempotence", "true");
        try (KafkaProducer<byte[], byte[]> producer = producer(transactional)) {
            assertThatThrownBy(producer::initTransactions).isInstanceOf(TransactionalIdAuthorizationException.class);
        }
        Properties idempotent = client(Account.PRODUCER);
        idempotent.put("enable.idempotence", "true");
        send(idempotent, "logs");
    }

    private Properties shipper(String user, OptionalLong quota) throws Exception {
        Properties properties = new Properties();
        properties.load(new StringReader(
                new ShipperLogins(secrets, ports.address(KafkaService.NAME)).make(user, List.of("logs"), quota)));
        properties.put("default.api.timeout.ms", "60000");
        properties.put("request.timeout.ms", "30000");
        return properties;
    }

    @Test
    void shippersWriteAndNothingElse() throws Exception {
        Properties agent = shipper("acme-agent", OptionalLong.empty());
        send(agent, "logs");
        assertThatThrownBy(() -> records(agent, "logs")).isInstanceOf(TopicAuthorizationException.class);
        assertThatThrownBy(() -> send(agent, DEAD_LETTERS)).isInstanceOf(TopicAuthorizationException.class);
        Properties again = shipper("acme-agent", OptionalLong.empty());
        send(again, "logs");
        assertThatThrownBy(() -> send(agent, "logs"))
                .as("the earlier password")
                .isInstanceOf(SaslAuthenticationException.class);

        new ShipperLogins(secrets, ports.address(KafkaService.NAME)).remove("acme-agent");
        assertThatThrownBy(() -> send(again, "logs")).isInstanceOf(SaslAuthenticationException.class);
        try (Admin admin = Admin.create(client(Account.ADMIN))) {
            assertThat(admin.describeAcls(AclBindingFilter.ANY).values().get())
                    .extracting(rule -> rule.entry().principal())
                    .contains("User:cordwood-producer")
                    .doesNotContain("User:acme-agent");
        }
    }

    @Test
    void nobodyLogsInUnderANameOfTheStack() {
        for (String name : List.of("cordwood-admin", "CN=kafka", "a\"b", "")) {
            assertThatThrownBy(() -> shipper(name, OptionalLong.empty()))
                    .as(name)
                    .isInstanceOf(CordwoodException.class)
                    .hasMessageContaining("cannot log in to Kafka");
        }
    }

    @Test
    void aFloodOfOneLoginIsHeldBackAndOthersAreNot() throws Exception {
        double flood = throttledMillis(shipper("flood", OptionalLong.of(10_000)), "any-client-id");
        double neighbour = throttledMillis(shipper("neighbour", OptionalLong.empty()), "any-client-id");
        assertThat(flood).isGreaterThan(100);
        assertThat(neighbour).isZero();
        try (Admin admin = Admin.create(client(Account.ADMIN))) {
            assertThat(admin.describeClientQuotas(ClientQuotaFilter.containsOnly(
                                    List.of(ClientQuotaFilterComponent.ofDefaultEntity(ClientQuotaEntity.USER))))
                            .entities()
                            .get()
                            .values())
                    .as("what a login without a quota of its own may send")
                    .containsExactly(Map.of("producer_byte_rate", (double) (64 << 20)));
        }
    }

    /** The balancer's quotas are stronger than the one of all users. */
    @Test
    void aClientIdHasTheQuotaThatTheBalancerSets() throws Exception {
        Map<String, String> entity = new HashMap<>(Map.of(ClientQuotaEntity.CLIENT_ID, "overloaded"));
        entity.put(ClientQuotaEntity.USER, null);
        try (Admin balancer = Admin.create(client(Account.BALANCER))) {
            balancer.alterClientQuotas(List.of(new ClientQuotaAlteration(
                            new ClientQuotaEntity(entity),
                            List.of(new ClientQuotaAlteration.Op("producer_byte_rate", 10_000d)))))
                    .all()
                    .get();
        }
        Properties shipper = shipper("shipper", OptionalLong.empty());
        assertThat(throttledMillis(shipper, "overloaded")).isGreaterThan(100);
        assertThat(throttledMillis(shipper, "another")).isZero();
    }

    /** The longest time that Kafka makes a producer wait which sends 300 kB. */
    private static double throttledMillis(Properties login, String clientId) throws Exception {
        Properties properties = new Properties();
        properties.putAll(login);
        properties.put("client.id", clientId);
        properties.put("max.request.size", "200000");
        properties.remove("default.api.timeout.ms");
        properties.remove("request.timeout.ms");
        try (KafkaProducer<byte[], byte[]> producer = producer(properties)) {
            byte[] value = new byte[100_000];
            for (int i = 0; i < 3; i++) {
                producer.send(new ProducerRecord<>("logs", "acme".getBytes(StandardCharsets.UTF_8), value))
                        .get();
            }
            return producer.metrics().entrySet().stream()
                    .filter(metric -> metric.getKey().name().equals("produce-throttle-time-max"))
                    .mapToDouble(metric -> (double) metric.getValue().metricValue())
                    .max()
                    .orElseThrow();
        }
    }

    private static SecretName secret(String name) {
        return SecretName.all().stream()
                .filter(each -> each.toString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private RunningServers servers() {
        new PidFile(home.run(), Supervisor.NAME)
                .write(ProcessIdentity.of(ProcessHandle.current().pid()).orElseThrow());
        return new RunningServers(home, secrets);
    }

    @Test
    void aConnectionToRedisEndsWithThePasswordThatOpenedIt() throws Exception {
        RunningServers servers = servers();
        try (Jedis producer = redis(Account.PRODUCER);
                Jedis query = redis(Account.QUERY)) {
            producer.ping();
            query.ping();
            servers.closeRedisConnections(Account.PRODUCER);
            assertThatThrownBy(producer::ping).isInstanceOf(JedisConnectionException.class);
            assertThat(query.ping()).isEqualTo("PONG");
        }
    }

    @Test
    void aConnectionToKafkaGoesOnWithANewPasswordOnly() throws Exception {
        Properties stolen = client(Account.PRODUCER);
        // What is refused is tried again until then
        stolen.put("request.timeout.ms", "10000");
        stolen.put("delivery.timeout.ms", "12000");
        Properties own = secrets.kafkaClient(Account.PRODUCER);
        own.put("bootstrap.servers", ports.address(KafkaService.NAME));
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>("logs", new byte[] {'x'});
        try (KafkaProducer<byte[], byte[]> thief = producer(stolen);
                KafkaProducer<byte[], byte[]> owner = producer(own)) {
            thief.send(record).get();
            owner.send(record).get();
            new Rotation(secrets, ports.address(RedisService.NAME), servers(), line -> {})
                    .rotate(secret("producer.kafka.password"));
            Instant until = Instant.now().plus(LOGIN.multipliedBy(2));
            while (Instant.now().isBefore(until)) {
                owner.send(record).get();
                Thread.sleep(100);
            }
            assertThatThrownBy(() -> thief.send(record).get()).isInstanceOf(ExecutionException.class);
            owner.send(record).get();
        }
    }

    private Jedis redis(Account account) throws Exception {
        return redis(account.user(), secrets.redisPassword(account));
    }

    private Jedis redis(String user, String password) throws Exception {
        URI address = URI.create(RedisService.url(ports, Optional.of(secrets)));
        return new Jedis(
                new HostAndPort(address.getHost(), address.getPort()),
                DefaultJedisClientConfig.builder()
                        .sslOptions(SslOptions.builder()
                                .trustStoreType("JKS")
                                .truststore(secrets.trustStore().toFile())
                                .build())
                        .user(user)
                        .password(password)
                        .build());
    }

    @Test
    void attack40RedisGivesEachPartItsOwnKeysOnly() throws Exception {
        assertThatThrownBy(() -> redis(null, null).get("cordwood:routes:logs")).isInstanceOf(JedisDataException.class);
        assertThatThrownBy(() -> redis(Account.PRODUCER.user(), "guessed").ping())
                .isInstanceOf(JedisDataException.class);
        try (Jedis producer = redis(Account.PRODUCER)) {
            producer.get("cordwood:routes:logs");
            denied(() -> producer.set("cordwood:routes:logs", "{}"));
            denied(() -> producer.get("cordwood:balancer:lease"));
            denied(() -> producer.hgetAll("cordwood:traffic:logs"));
            denied(producer::flushAll);
            denied(() -> producer.configGet("*"));
            denied(() -> producer.keys("*"));
            denied(() -> producer.publish("cordwood:routes:logs", "1"));
        }
        try (Jedis ingest = redis(Account.INGEST)) {
            ingest.hset("cordwood:traffic:logs", "0", "{}");
            ingest.hset("cordwood:hot:2:logs:0", "0@0", "x");
            ingest.expire("cordwood:hot:2:logs:0", 60);
            denied(() -> ingest.set("cordwood:routes:logs", "{}"));
        }
        try (Jedis query = redis(Account.QUERY)) {
            assertThat(query.hmget("cordwood:hot:2:logs:0", "0@0")).containsExactly("x");
            query.zadd("cordwood:hot:asked:logs", 1, "acme");
            denied(() -> query.hset("cordwood:hot:2:logs:0", "0@0", "y"));
        }
        try (Jedis balancer = redis(Account.BALANCER)) {
            assertThat(balancer.hgetAll("cordwood:traffic:logs")).hasSize(1);
            balancer.eval(
                    "redis.call('SET', KEYS[1], ARGV[1]); redis.call('PUBLISH', KEYS[1], '1')",
                    List.of("cordwood:routes:logs"),
                    List.of("{}"));
            denied(() -> balancer.hset("cordwood:traffic:logs", "0", "{}"));
        }
    }

    private static void denied(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(JedisAccessControlException.class).hasMessageContaining("NOPERM");
    }
}
