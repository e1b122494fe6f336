package io.cordwood.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.pipeline.PipelineParser;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.table.PartitionId;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.usage.Scans;
import io.cordwood.services.KafkaTopics;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.standalone.home.Endpoints;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.home.StackFacts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tenant registry from the command line, on a catalog service and Kafka. */
final class TenantCommandIT {
    private static final String PIPELINE = """
            {"steps":[{"type":"remove","columns":["kubernetes.pod_uid","ä"]},
                      {"type":"redact","kinds":["email"]}]}""";

    @TempDir
    private static Path directory;

    private static Service kafka;
    private static CatalogServer server;
    private static CatalogClient catalog;
    private static String topicId;

    @BeforeAll
    static void start() throws Exception {
        kafka = TestServices.kafka();
        server = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + directory.resolve("catalog.db"),
                directory.resolve("warehouse").toString(),
                Map.of()));
        catalog = CatalogClient.connect(server.uri(), Map.of());
        Home home = new Home(directory);
        home.create();
        new Endpoints(kafka.address(), "", server.uri().toString(), "", "", "", "", "", "", "", "", "", "").write(home);
        StackFacts.of(List.of("logs"), Optional.empty(), Optional.empty(), Map.of())
                .write(home);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.address()));
                KafkaProducer<String, String> producer = new KafkaProducer<>(
                        Map.of("bootstrap.servers", kafka.address()), new StringSerializer(), new StringSerializer())) {
            topicId = KafkaTopics.create(admin, new NewTopic("logs", 2, (short) 1))
                    .toString();
            for (int i = 0; i < 7; i++) {
                producer.send(new ProducerRecord<>("logs", 1, "acme", "{}")).get();
            }
        }
    }

    @AfterAll
    static void stop() throws Exception {
        catalog.close();
        server.close();
        kafka.close();
    }

    @Test
    void retentionIsSetForATenantAndItsStreams() {
        assertThat(run("tenant", "set", "beta", "--retention", "30")).isEmpty();
        assertThat(run("tenant", "set", "beta", "--stream", "audit", "--retention", "0"))
                .isEmpty();
        assertThat(run("tenant", "set", "beta", "--stream", "logs", "--retention", "7"))
                .isEmpty();
        assertThat(run("tenant", "show", "beta")).contains("retention  30 days, audit: unlimited days, logs: 7 days");
        assertThat(run("tenant", "list")).contains("30, audit: unlimited, logs: 7");
        assertThat(catalog.tenant("beta").orElseThrow()).satisfies(tenant -> {
            assertThat(tenant.retentionDays("logs")).hasValue(7);
            assertThat(tenant.retentionDays("audit")).isEmpty();
            assertThat(tenant.retentionDays("other")).hasValue(30);
        });
        run("tenant", "set", "beta", "--stream", "logs", "--retention", "default");
        assertThat(catalog.tenant("beta").orElseThrow().retentionDays("logs")).hasValue(30);
    }

    @Test
    void aTenantIsRegisteredOnceWithoutOptions() {
        assertThat(run("tenant", "set", "plain")).isEmpty();
        assertThat(catalog.tenant("plain")).hasValue(Tenant.of("plain"));
        run("tenant", "set", "plain", "--quota", "5");
        run("tenant", "set", "plain");
        assertThat(catalog.tenant("plain").orElseThrow().quota().bytesPerSecond())
                .hasValue(5);
    }

    @Test
    void quotasAreSetOneByOne() {
        run("tenant", "set", "held", "--quota", "5000");
        run("tenant", "set", "held", "--row-quota", "70");
        assertThat(run("tenant", "show", "held")).contains("quota      5000 bytes/s, 70 rows/s");
        assertThat(run("tenant", "list")).containsPattern("held .*unlimited .*5000 .*70 ");
        run("tenant", "set", "held", "--quota", "0");
        assertThat(run("tenant", "show", "held")).contains("quota      70 rows/s");
        run("tenant", "set", "held", "--row-quota", "0");
        assertThat(catalog.tenant("held")).hasValue(Tenant.of("held"));
        assertThat(failed(2, "tenant", "set", "held", "--row-quota", "-1")).contains("--row-quota: -1 is below 0");
    }

    @Test
    void usageIsShownByStreamAndPeriod() {
        catalog.putTenant(Tenant.of("metered"));
        long hour = TimeUnit.MILLISECONDS.toHours(System.currentTimeMillis());
        catalog.reportScans(new Scans(
                "node",
                0,
                List.of(
                        new Scans.Total("metered", "logs", hour, 1),
                        new Scans.Total("metered", "logs", hour - 5, 10),
                        new Scans.Total("metered", "logs", hour - 100, 100),
                        new Scans.Total("metered", "logs", hour - 30 * 24, 1000),
                        new Scans.Total("metered", "audit", hour - 2, 7),
                        new Scans.Total("another", "logs", hour, 5000))));
        assertThat(run("tenant", "show", "metered"))
                .containsPattern("audit +\\| last 24 hours +\\| +0 \\| +0 \\| +0 \\| +7")
                // The hour may have turned meanwhile
                .containsPattern("logs +\\| this hour +\\| +0 \\| +0 \\| +0 \\| +[01]")
                .containsPattern("logs +\\| last 24 hours +\\| +0 \\| +0 \\| +0 \\| +11")
                .containsPattern("logs +\\| last 30 days +\\| +0 \\| +0 \\| +0 \\| +111");
    }

    @Test
    void aDeletedTenantIsGoneWithWhatIsInKafka() throws Exception {
        LoadedTable table = catalog.ensureTable("acme", "logs", List.of());
        String object = table.location() + "/data/day=2026-01-01/x.parquet";
        catalog.io().newOutputFile(object).create().close();
        assertThat(run("tenant", "delete", "acme", "--yes")).contains("tenant acme: deleted");
        assertThat(catalog.io().newInputFile(object).exists()).isFalse();
        assertThat(catalog.table("acme", "logs")).isEmpty();
        assertThat(catalog.pointers("logs").floors().get("acme").entries())
                .isEqualTo(Map.of(new PartitionId(topicId, 0), 0L, new PartitionId(topicId, 1), 7L));
        assertThat(run("tenant", "list")).containsPattern("acme +\\| acme .*deleted");
        assertThat(run("tenant", "show", "acme")).contains("state      deleted");
        assertThat(catalog.ensureTable("acme", "logs", List.of()).offsets().offset(new PartitionId(topicId, 1)))
                .isEqualTo(7);
        assertThat(run("tenant", "delete", "acme", "--yes")).contains("tenant acme: deleted");
    }

    /** As if the command had been killed after it was taken note of. */
    @Test
    void aDeletionThatIsUnderWayIsShownAndGoneOnWith() throws Exception {
        LoadedTable table = catalog.ensureTable("gamma", "logs", List.of());
        String object = table.location() + "/data/day=2026-01-01/x.parquet";
        catalog.io().newOutputFile(object).create().close();
        catalog.deleteTenant("gamma", Map.of());
        assertThat(run("tenant", "list")).containsPattern("gamma +\\| gamma .*being deleted since 20");
        assertThat(run("tenant", "show", "gamma")).contains("state      being deleted since 20");
        assertThat(run("tenant", "delete", "gamma", "--yes")).contains("tenant gamma: deleted");
        assertThat(catalog.io().newInputFile(object).exists()).isFalse();
    }

    @Test
    void aPipelineIsSetShownAndRemoved() throws Exception {
        Path file = Files.writeString(directory.resolve("pipeline.json"), PIPELINE);
        assertThat(run("tenant", "set", "piped", "--pipeline", file.toString())).isEmpty();
        assertThat(catalog.pipeline("piped")).hasValue(PipelineParser.pipeline(Json.MAPPER.readTree(PIPELINE)));
        assertThat(run("tenant", "show", "piped")).contains("pipeline   2 steps");
        String printed = run("tenant", "pipeline", "piped");
        assertThat(printed).startsWith("{%n  \"steps\" : [".formatted()).hasLineCount(9);

        run("tenant", "set", "piped", "--quota", "5");
        assertThat(catalog.pipeline("piped")).as("it stays").isPresent();
        withInput(printed.replace("kubernetes", "k8s"), () -> run("tenant", "set", "piped", "--pipeline", "-"));
        assertThat(run("tenant", "pipeline", "piped")).isEqualTo(printed.replace("kubernetes", "k8s"));

        run("tenant", "set", "piped", "--no-pipeline");
        assertThat(run("tenant", "show", "piped")).contains("pipeline   none");
        run("tenant", "set", "piped", "--no-pipeline");
        assertThat(failed(1, "tenant", "pipeline", "piped")).contains("tenant piped has no pipeline");
    }

    @Test
    void badPipelinesAreRefusedBeforeAnythingIsChanged() throws Exception {
        assertThat(failed(1, "tenant", "set", "none", "--quota=5", "--pipeline", directory + "/none.json"))
                .contains("cannot read the pipeline: no such file: " + directory + "/none.json");
        assertThat(failed(1, "tenant", "set", "none", "--pipeline", written("{\n\"steps\": nil}")))
                .contains("bad.json is not JSON: Unrecognized token 'nil'", "at line 2, column ");
        assertThat(failed(1, "tenant", "set", "none", "--pipeline", written(PIPELINE + "x")))
                .contains("bad.json is not JSON: Unrecognized token 'x'");
        assertThat(failed(1, "tenant", "set", "none", "--pipeline", written("")))
                .contains("bad.json is no pipeline: It is no JSON object");
        assertThat(failed(1, "tenant", "set", "none", "--pipeline", written(PIPELINE.replace("email", "phone"))))
                .contains("bad.json is no pipeline: Step 2: Member 'kinds' is 'phone'");
        assertThat(failed(1, "tenant", "set", "none", "--pipeline", written(PIPELINE + " ".repeat(64 << 10))))
                .contains("bad.json is no pipeline: it has more than 64 KB");
        assertThat(failed(2, "tenant", "set", "none", "--no-pipeline", "--pipeline", written(PIPELINE)))
                .contains("--pipeline or --no-pipeline?");
        assertThat(catalog.tenant("none")).isEmpty();
        assertThat(failed(1, "tenant", "pipeline", "none")).contains("there is no tenant none");
    }

    private static String written(String text) throws IOException {
        return Files.writeString(directory.resolve("bad.json"), text).toString();
    }

    private static void withInput(String input, Runnable work) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            work.run();
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void aTenantThatNobodyKnowsIsNotDeleted() {
        assertThat(failed(1, "tenant", "delete", "nobody", "--yes")).contains("there is no tenant nobody");
    }

    private static String failed(int expected, String... arguments) {
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--home", directory.toString()));
        int code = Cordwood.run(
                new PrintWriter(new StringWriter()), new PrintWriter(err, true), all.toArray(String[]::new));
        assertThat(code).as(err.toString()).isEqualTo(expected);
        assertThat(err.toString()).hasLineCount(1);
        return err.toString();
    }

    private static String run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--home", directory.toString()));
        int code = Cordwood.run(new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        return out.toString();
    }
}
