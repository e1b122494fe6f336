package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.testing.PlainS3Clients;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.TenantRole;
import io.cordwood.services.S3Account;
import io.cordwood.services.Service;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.aws.s3.S3FileIO;
import org.apache.iceberg.aws.s3.S3FileIOProperties;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.rest.RESTCatalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients without keys at a warehouse in an S3 store, whose requests are signed, and the attacks on it by their numbers
 * in the threat model. Tenant {@code acme} attacks {@code globex}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractStorageAccessTests {
    private static final TableIdentifier ACME = TableIdentifier.of("acme", "logs");
    private static final TableIdentifier GLOBEX = TableIdentifier.of("globex", "logs");
    private static final String ACME_PATH = "/v1/namespaces/acme/tables/logs";
    private static final String DELEGATION = "X-Iceberg-Access-Delegation";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private Service store;
    private SecuredService service;
    private String reader;
    private String writer;
    private String acmeFile;
    private String globexFile;

    /** The store under test. */
    abstract Service startStore() throws IOException, InterruptedException;

    @BeforeAll
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    final void start(@TempDir Path directory) throws Exception {
        S3Account.useHere();
        store = startStore();
        service = new SecuredService(
                "jdbc:sqlite:" + directory.resolve("catalog.db"),
                directory,
                "s3://%s/%s".formatted(S3Account.BUCKET, UUID.randomUUID()),
                new S3Settings(Optional.of(URI.create(store.url())), Optional.empty(), true).properties(),
                Optional.empty());
        service.admin.ensureTable("acme", "logs", List.of());
        service.admin.ensureTable("globex", "logs", List.of());
        reader = service.person("reader", "acme", TenantRole.READER);
        writer = service.person("writer", "acme", TenantRole.READER, TenantRole.WRITER);
        acmeFile = append(service.admin.catalog().loadTable(ACME), "rows of acme");
        globexFile = append(service.admin.catalog().loadTable(GLOBEX), "rows of globex");
    }

    @AfterAll
    final void stop() throws IOException {
        service.close();
        store.close();
    }

    /** Commits a file with this content, and returns its location. */
    private static String append(Table table, String content) throws IOException {
        String location = "%s/data/ts_day=2026-11-01/%s b=1.parquet".formatted(table.location(), UUID.randomUUID());
        try (OutputStream out = table.io().newOutputFile(location).create()) {
            out.write(content.getBytes(StandardCharsets.UTF_8));
        }
        DataFile file = DataFiles.builder(table.spec())
                .withPath(location)
                .withFileSizeInBytes(content.length())
                .withRecordCount(1)
                .withPartitionPath("ts_day=" + LocalDate.of(2026, 11, 1))
                .build();
        table.newAppend().appendFile(file).commit();
        return location;
    }

    private static String content(Table table, String location) throws IOException {
        try (InputStream in = table.io().newInputFile(location).newStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Iceberg's own client with its own access to S3, which has no keys. */
    private RESTCatalog icebergClient(String token) {
        RESTCatalog catalog = new RESTCatalog();
        Map<String, String> properties = new HashMap<>(Map.of(
                CatalogProperties.URI,
                service.server.uri().toString(),
                CatalogProperties.FILE_IO_IMPL,
                S3FileIO.class.getName(),
                S3FileIOProperties.CLIENT_FACTORY,
                PlainS3Clients.class.getName(),
                "header." + DELEGATION,
                "remote-signing",
                "token",
                token));
        catalog.initialize("iceberg", properties);
        return catalog;
    }

    @Test
    void aReaderWithoutKeysReadsItsTableBySigning() throws Exception {
        try (RESTCatalog catalog = icebergClient(reader)) {
            Table table = catalog.loadTable(ACME);
            try (CloseableIterable<FileScanTask> files = table.newScan().planFiles()) {
                assertThat(files)
                        .extracting(FileScanTask::file)
                        .extracting(DataFile::location)
                        .contains(acmeFile);
            }
            assertThat(content(table, acmeFile)).isEqualTo("rows of acme");
            assertThatThrownBy(() -> content(table, globexFile))
                    .hasStackTraceContaining("not below the table's location");
            assertThatThrownBy(() -> append(table, "forged")).hasStackTraceContaining("not granted");
        }
    }

    @Test
    void aWriterWithoutKeysCommitsBySigning() throws Exception {
        try (RESTCatalog catalog = icebergClient(writer)) {
            Table table = catalog.loadTable(ACME);
            String file = append(table, "rows of the writer");
            assertThat(content(service.admin.catalog().loadTable(ACME), file)).isEqualTo("rows of the writer");
            String large = table.location() + "/data/large";
            byte[] bytes = new byte[12 << 20];
            new Random(1).nextBytes(bytes);
            S3FileIO io = new S3FileIO();
            Map<String, String> inParts = new HashMap<>(table.io().properties());
            inParts.put(S3FileIOProperties.MULTIPART_SIZE, Integer.toString(5 << 20));
            inParts.put(S3FileIOProperties.MULTIPART_THRESHOLD_FACTOR, "1.0");
            io.initialize(inParts);
            try (io;
                    OutputStream out = io.newOutputFile(large).create()) {
                out.write(bytes);
            }
            try (InputStream in = service.admin.io().newInputFile(large).newStream()) {
                assertThat(in.readAllBytes()).isEqualTo(bytes);
            }
        }
    }

    @Test
    void peopleAreToldWhichHeaderToSend() throws Exception {
        for (String header : List.of("", "vended-credentials", "keys")) {
            HttpResponse<String> answer = load(reader, header);
            assertThat(answer.statusCode()).as(header).isEqualTo(400);
            assertThat(answer.body())
                    .contains("set the header X-Iceberg-Access-Delegation to remote-signing")
                    .contains("vends no credentials");
        }
        assertThat(load(reader, "vended-credentials, remote-signing").statusCode())
                .isEqualTo(200);
    }

    @Test
    void operatorsAndServicesUseTheirOwnKeysUnlessTheyAsk() throws Exception {
        String query = service.service(ServiceRole.QUERY);
        assertThat(config(load(service.adminToken.token(), ""))).isEmpty();
        assertThat(config(load(query, ""))).isEmpty();
        assertThat(config(load(query, "remote-signing"))).isEmpty();
        assertThat(sign(query, ACME_PATH, "GET", address(acmeFile)).statusCode())
                .isEqualTo(403);
        assertThat(config(load(service.adminToken.token(), "remote-signing"))
                        .get("s3.remote-signing-enabled")
                        .asText())
                .isEqualTo("true");
    }

    @Test
    void noAnswerHasAKey() throws Exception {
        JsonNode config = config(load(reader, "remote-signing"));
        assertThat(config)
                .isEqualTo(Json.object()
                        .put("s3.remote-signing-enabled", "true")
                        .put("s3.signer", "S3V4RestSigner")
                        .put("s3.signer.endpoint", ACME_PATH.substring(1) + "/sign")
                        .put("s3.endpoint", store.url())
                        .put("s3.path-style-access", "true")
                        .put("client.region", "us-east-1"));
        for (HttpResponse<String> answer : List.of(
                service.get("/v1/config", reader),
                load(reader, "remote-signing"),
                sign(reader, ACME_PATH, "GET", address(acmeFile)))) {
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).doesNotContain(S3Account.SECRET_KEY);
        }
    }

    @Test
    void attack16AReaderReadsGlobex() throws Exception {
        assertThat(get(signed(reader, "GET", address(acmeFile)), "Range", "bytes=0-3"))
                .as("its own")
                .extracting(HttpResponse::statusCode, HttpResponse::body)
                .containsExactly(206, "rows");
        assertThat(sign(reader, ACME_PATH, "GET", address(globexFile)).statusCode())
                .isEqualTo(403);
        HttpResponse<String> other = sign(reader, "/v1/namespaces/globex/tables/logs", "GET", address(globexFile));
        HttpResponse<String> missing = sign(reader, "/v1/namespaces/nobody/tables/logs", "GET", address(globexFile));
        assertThat(other.statusCode()).isEqualTo(403);
        assertThat(missing.body()).as("of no tenant").isEqualTo(other.body().replace("globex", "nobody"));
        Signed own = signed(reader, "GET", address(acmeFile));
        assertThat(get(new Signed(address(globexFile), own.headers())).statusCode())
                .as("a signature for another address")
                .isEqualTo(403);
        assertThat(sign("", ACME_PATH, "GET", address(acmeFile)).statusCode()).isEqualTo(401);
    }

    @Test
    void attack17AReaderWrites() throws Exception {
        URI target = address(acmeFile + "-new");
        for (String method : List.of("PUT", "DELETE", "POST")) {
            assertThat(sign(reader, ACME_PATH, method, target).statusCode())
                    .as(method)
                    .isEqualTo(403);
        }
        assertThat(sign(reader, ACME_PATH, "POST", URI.create(target + "?uploads"))
                        .statusCode())
                .isEqualTo(403);
        Signed reading = signed(reader, "GET", target);
        assertThat(send("PUT", reading, "forged").statusCode())
                .as("a signature to read")
                .isEqualTo(403);
        assertThat(send("PUT", signed(writer, "PUT", target), "of the writer").statusCode())
                .isEqualTo(200);
        assertThat(get(signed(reader, "GET", target)).body()).isEqualTo("of the writer");
    }

    @Test
    void aWriterReplacesNothing() throws Exception {
        assertThat(send("PUT", signed(writer, "PUT", address(acmeFile)), "forged")
                        .statusCode())
                .isEqualTo(412);
        Signed twice = signed(writer, "PUT", address(acmeFile + "-twice"));
        assertThat(send("PUT", twice, "first").statusCode()).isEqualTo(200);
        assertThat(send("PUT", twice, "second").statusCode()).isEqualTo(412);
        assertThat(send("PUT", new Signed(twice.uri(), without(twice.headers(), "if-none-match")), "second")
                        .statusCode())
                .isEqualTo(403);
        URI metadata = address(tableLocation() + "/metadata/09999-a.metadata.json");
        assertThat(sign(writer, ACME_PATH, "PUT", metadata).statusCode()).isEqualTo(403);
    }

    private static Map<String, String> without(Map<String, String> headers, String name) {
        Map<String, String> fewer = new HashMap<>(headers);
        fewer.keySet().removeIf(name::equalsIgnoreCase);
        return fewer;
    }

    private String tableLocation() {
        return service.admin.catalog().loadTable(ACME).location();
    }

    @Test
    void aWriterCopiesNothingIntoItsTable() throws Exception {
        URI target = address(acmeFile + "-copy");
        Map<String, String> copying =
                new HashMap<>(signed(writer, "PUT", target).headers());
        copying.put("x-amz-copy-source", address(globexFile).getRawPath());
        assertThat(send("PUT", new Signed(target, copying), "").statusCode()).isEqualTo(403);
        ObjectNode request = request("PUT", target);
        request.withObject("/headers")
                .putArray("x-amz-copy-source")
                .add(address(globexFile).getRawPath());
        assertThat(post(writer, ACME_PATH, request).statusCode()).isEqualTo(403);
        assertThat(get(signed(reader, "GET", target)).statusCode()).isEqualTo(404);
        assertThat(send("PUT", signed(writer, "PUT", target), "own").statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../../../globex",
                "/%2e%2e/%2e%2e/%2e%2e/globex",
                "/%2E%2E/%2E%2E/%2E%2E/globex",
                "/..%2F..%2F..%2Fglobex",
                "%2F..%2F..%2F..%2Fglobex",
                "/%252e%252e/%252e%252e/%252e%252e/globex",
                "//../../../globex",
                "/./../../../globex",
                "/..%5C..%5C..%5Cglobex"
            })
    void attack18AnAddressThatClimbsOutOfTheTable(String climb) throws Exception {
        String rest = address(globexFile).getRawPath().replaceFirst(".*?/globex", "");
        URI uri = URI.create(address(tableLocation()) + climb + rest);
        assertThat(sign(reader, ACME_PATH, "GET", uri).statusCode()).isEqualTo(403);
        assertThat(get(signed(reader, "GET", address(acmeFile))).body())
                .as("the twin")
                .isEqualTo("rows of acme");
    }

    /** Whatever is signed is sent to the store, which decodes it in its own way. */
    @Test
    void attack18NoAddressThatIsSignedIsOneOfGlobex() throws Exception {
        Random random = new Random(18);
        List<String> climbs = List.of("..", ".", "%2e%2e", "%2E.", "%252e%252e", "a", "data", "");
        List<String> slashes = List.of("/", "/", "/", "//", "%2F", "%252F", "%5C");
        String rest = address(globexFile).getRawPath().replaceFirst(".*?/globex", "globex");
        int signed = 0;
        for (int i = 0; i < 300; i++) {
            StringBuilder path = new StringBuilder(address(tableLocation()).toString());
            for (int pieces = random.nextInt(6); pieces >= 0; pieces--) {
                path.append(slashes.get(random.nextInt(slashes.size())))
                        .append(climbs.get(random.nextInt(climbs.size())));
            }
            URI uri = URI.create(path.append("/").append(rest).toString());
            HttpResponse<String> answer = sign(reader, ACME_PATH, "GET", uri);
            if (answer.statusCode() == 200) {
                signed++;
                assertThat(get(Signed.of(answer)).statusCode())
                        .as(uri.toString())
                        .isEqualTo(404);
            } else {
                assertThat(answer.statusCode()).as(uri.toString()).isEqualTo(403);
            }
        }
        assertThat(signed).as("plain ones").isPositive();
    }

    @Test
    void attack19AnotherHostOrBucket() throws Exception {
        URI own = address(acmeFile);
        String path = own.getRawPath();
        for (String other : List.of(
                "http://evil.example" + path,
                "http://127.0.0.1:1" + path,
                "https://" + own.getAuthority() + path,
                "http://" + own.getAuthority() + "@evil.example" + path,
                "http://" + S3Account.BUCKET + "." + own.getAuthority() + path.substring(S3Account.BUCKET.length() + 1),
                "http://" + own.getAuthority() + path.replaceFirst(S3Account.BUCKET, "other"),
                "http://" + own.getAuthority() + "/" + path)) {
            assertThat(sign(reader, ACME_PATH, "GET", URI.create(other)).statusCode())
                    .as(other)
                    .isEqualTo(403);
        }
        assertThat(sign(reader, ACME_PATH, "GET", own).statusCode()).isEqualTo(200);
    }

    @Test
    void attack20ManyDeletesAndOtherSubresources() throws Exception {
        String bucket = store.url() + "/" + S3Account.BUCKET;
        for (String token : List.of(reader, writer, service.adminToken.token())) {
            for (String request : List.of(
                    "POST " + bucket + "?delete",
                    "POST " + address(acmeFile) + "?delete",
                    "DELETE " + address(acmeFile),
                    "GET " + bucket + "?list-type=2&prefix=globex",
                    "GET " + bucket + "/?list-type=2",
                    "GET " + address(acmeFile) + "?acl",
                    "PUT " + address(acmeFile) + "?acl",
                    "PUT " + address(acmeFile) + "?policy")) {
                int space = request.indexOf(' ');
                assertThat(sign(token, ACME_PATH, request.substring(0, space), URI.create(request.substring(space + 1)))
                                .statusCode())
                        .as(request)
                        .isEqualTo(403);
            }
        }
        assertThat(sign(writer, ACME_PATH, "POST", URI.create(address(acmeFile + "-parts") + "?uploads"))
                        .statusCode())
                .as("the twin")
                .isEqualTo(200);
    }

    /** Address of an object in the store, as S3's clients encode it. */
    private URI address(String location) {
        String path = location.substring("s3:/".length()).replace(" ", "%20").replace("=", "%3D");
        return URI.create(store.url() + path);
    }

    private HttpResponse<String> load(String token, String delegation) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(service.server.uri() + ACME_PATH))
                .header("Authorization", "Bearer " + token);
        if (!delegation.isEmpty()) {
            request.header(DELEGATION, delegation);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode config(HttpResponse<String> loaded) throws Exception {
        assertThat(loaded.statusCode()).isEqualTo(200);
        return Json.MAPPER.readTree(loaded.body()).path("config");
    }

    private static ObjectNode request(String method, URI uri) {
        ObjectNode request =
                Json.object().put("region", "us-east-1").put("method", method).put("uri", uri.toString());
        request.putObject("headers").putArray("User-Agent").add("test");
        return request;
    }

    private HttpResponse<String> sign(String token, String table, String method, URI uri) throws Exception {
        return post(token, table, request(method, uri));
    }

    private HttpResponse<String> post(String token, String table, ObjectNode request) throws Exception {
        return service.send("POST", table + "/sign", request.toString(), token);
    }

    /** A request that is signed. */
    private record Signed(URI uri, Map<String, String> headers) {
        static Signed of(HttpResponse<String> answer) throws IOException {
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            JsonNode json = Json.MAPPER.readTree(answer.body());
            Map<String, String> headers = new HashMap<>();
            json.path("headers")
                    .properties()
                    .forEach(header -> headers.put(
                            header.getKey(), header.getValue().path(0).asText()));
            return new Signed(URI.create(json.path("uri").asText()), headers);
        }
    }

    private Signed signed(String token, String method, URI uri) throws Exception {
        return Signed.of(sign(token, ACME_PATH, method, uri));
    }

    private static HttpResponse<String> get(Signed signed, String... more) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(signed.uri());
        signed.headers().forEach(request::header);
        if (more.length > 0) {
            request.headers(more);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> send(String method, Signed signed, String body) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(signed.uri()).method(method, HttpRequest.BodyPublishers.ofString(body));
        signed.headers().forEach(request::header);
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
