package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import io.cordwood.catalog.protocol.IssuedToken;
import io.cordwood.catalog.protocol.LoadedTable;
import io.cordwood.catalog.protocol.RegisteredToken;
import io.cordwood.catalog.protocol.TokenRequest;
import io.cordwood.catalog.tenant.Tenant;
import io.cordwood.catalog.usage.Scans;
import io.cordwood.catalog.usage.Usage;
import io.cordwood.catalog.usage.UsageFilter;
import io.cordwood.identity.Audience;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.TenantRole;
import io.cordwood.identity.Token;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestWriter;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The attacks on the catalog's door, by their numbers in the threat model. Tenant {@code acme} attacks {@code globex}.
 * Each test also has the twin that is allowed.
 */
class CatalogAttacksTest {
    private static final TableIdentifier ACME_LOGS = TableIdentifier.of("acme", "logs");
    private static final TableIdentifier GLOBEX_LOGS = TableIdentifier.of("globex", "logs");
    private static final String ACME_PATH = "/v1/namespaces/acme/tables/logs";

    @TempDir
    private Path directory;

    private SecuredService service;
    private LoadedTable acme;
    private LoadedTable globex;
    private String reader;

    @BeforeEach
    void start() throws Exception {
        service = new SecuredService("jdbc:sqlite:" + directory.resolve("catalog.db"), directory);
        acme = service.admin.ensureTable("acme", "logs", List.of());
        globex = service.admin.ensureTable("globex", "logs", List.of());
        reader = service.person("reader", "acme", TenantRole.READER);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void attack01AnyRouteWithoutAToken() throws Exception {
        List<String> routes = List.of(
                "GET /v1/config",
                "GET /v1/namespaces",
                "GET /v1/namespaces/acme",
                "GET /v1/namespaces/acme/tables/logs",
                "POST /v1/namespaces/acme/tables/logs",
                "DELETE /v1/namespaces/acme/tables/logs",
                "POST /v1/tables/rename",
                "GET /cordwood/v1/tenants",
                "PUT /cordwood/v1/tenants/acme",
                "DELETE /cordwood/v1/tenants/acme",
                "GET /cordwood/v1/users",
                "PUT /cordwood/v1/users/mallory",
                "POST /cordwood/v1/users/admin/tokens",
                "GET /cordwood/v1/tokens",
                "GET /cordwood/v1/jwks",
                "GET /cordwood/v1/token-rules",
                "GET /cordwood/v1/audit",
                "GET /cordwood/v1/whoami",
                "GET /cordwood/v1/streams/logs/pointers",
                "GET /cordwood/v1/streams/logs/archived-through",
                "POST /cordwood/v1/streams/logs/tables",
                "POST /cordwood/v1/usage",
                "GET /cordwood/v1/deletions",
                "GET /cordwood/v1/time",
                "GET /metrics",
                "GET /not/there",
                "POST /health");
        for (String route : routes) {
            String[] parts = route.split(" ", 2);
            HttpResponse<String> answer = service.send(parts[0], parts[1], "", "");
            assertThat(answer.statusCode()).as(route).isEqualTo(401);
            assertThat(answer.headers().firstValue("WWW-Authenticate"))
                    .as(route)
                    .hasValue("Bearer realm=\"cordwood\"");
        }
        assertThat(service.get("/health", "").body()).isEqualTo("{\"status\":\"up\"}");
        assertThat(service.get("/v1/config", reader).statusCode()).isEqualTo(200);
        assertThat(service.get("/cordwood/v1/whoami", reader).body())
                .isEqualTo("{\"user\":\"reader\",\"operator\":false,\"grants\":{\"acme\":[\"reader\"]},\"expires\":%d}"
                        .formatted(service.admin
                                .tokens("reader")
                                .getFirst()
                                .expires()
                                .getEpochSecond()));
    }

    @Test
    void attack02ASecondBootstrap() throws Exception {
        String body = "{\"user\":\"mallory\"}";
        assertThat(service.send("POST", "/cordwood/v1/bootstrap", body, SecuredService.BOOTSTRAP_TOKEN)
                        .statusCode())
                .isEqualTo(409);
        assertThat(service.send("POST", "/cordwood/v1/bootstrap", body, "guessed-and-long-enough")
                        .statusCode())
                .isEqualTo(401);
        assertThat(service.admin.user("mallory")).isEmpty();
        assertThat(service.admin.whoami().user().operator()).as("the first one").isTrue();
    }

    @Test
    void attack03AnExpiredToken() throws Exception {
        IssuedToken brief = service.admin.createToken(
                "reader", TokenRequest.requests(Optional.empty(), Optional.of(Duration.ofSeconds(5))));
        assertThat(service.get("/v1/config", brief.token()).statusCode()).isEqualTo(200);
        while (Instant.now().isBefore(brief.expires())) {
            Thread.sleep(50);
        }
        HttpResponse<String> answer = service.get("/v1/config", brief.token());
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.body()).contains("has expired");
        assertThat(service.form("grant_type=client_credentials&client_id=reader&client_secret=" + brief.token())
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void attack04AnotherAudience() throws Exception {
        ECKey key = (ECKey) JWKSet.load(directory.resolve("signing-keys.json").toFile())
                .getKeys()
                .getFirst();
        assertThat(service.get("/v1/config", signed(key, claims("another").build()))
                        .statusCode())
                .isEqualTo(401);
        assertThat(service.get("/v1/config", signed(key, claims("cordwood").build()))
                        .statusCode())
                .as("the same for this one")
                .isEqualTo(200);
    }

    private JWTClaimsSet.Builder claims(String audience) {
        RegisteredToken known = service.admin.tokens("reader").getFirst();
        return new JWTClaimsSet.Builder()
                .issuer("cordwood")
                .audience(audience)
                .jwtID(known.id())
                .subject(known.user())
                .issueTime(Date.from(known.issued()))
                .expirationTime(Date.from(known.expires()));
    }

    private static String signed(ECKey key, JWTClaimsSet claims) throws Exception {
        SignedJWT jwt = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256)
                        .keyID(key.getKeyID())
                        .type(JOSEObjectType.JWT)
                        .build(),
                claims);
        jwt.sign(new ECDSASigner(key));
        return jwt.serialize();
    }

    @Test
    void attack05ARevokedToken() throws Exception {
        IssuedToken other = service.admin.createToken("reader");
        IssuedToken lost = service.admin.createToken("reader");
        assertThat(service.get("/v1/config", lost.token()).statusCode()).isEqualTo(200);
        service.admin.revokeToken(lost.id());
        HttpResponse<String> answer = service.get("/v1/config", lost.token());
        assertThat(answer.statusCode()).as("at once").isEqualTo(401);
        assertThat(answer.body()).contains("is revoked");
        assertThat(service.get("/v1/config", other.token()).statusCode()).isEqualTo(200);
    }

    @Test
    void attack06NoSignatureAndForeignKeys() throws Exception {
        String unsigned = new PlainJWT(claims("cordwood").build()).serialize();
        assertThat(service.get("/v1/config", unsigned).statusCode()).isEqualTo(401);
        RegisteredToken known = service.admin.tokens("reader").getFirst();
        Token token = new Token(
                known.id(),
                "reader",
                Audience.REQUESTS,
                known.issued(),
                known.expires(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        assertThat(service.get("/v1/config", SigningKeys.create().sign(token)).statusCode())
                .isEqualTo(401);
        assertThat(service.get("/v1/config", service.keys.sign(token)).statusCode())
                .as("the same by our key")
                .isEqualTo(200);
        Token unregistered = new Token(
                "made-up",
                "admin",
                Audience.REQUESTS,
                known.issued(),
                known.expires(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        assertThat(service.get("/v1/config", service.keys.sign(unregistered)).statusCode())
                .isEqualTo(401);
    }

    @Test
    void attack07TablesOfOthersExistingOrNot() throws Exception {
        List<String> paths = List.of(
                "/v1/namespaces/%s",
                "/v1/namespaces/%s/tables", "/v1/namespaces/%s/tables/logs", "/cordwood/v1/tenants/%s");
        for (String path : paths) {
            HttpResponse<String> existing = service.get(path.formatted("globex"), reader);
            HttpResponse<String> missing = service.get(path.formatted("nobody"), reader);
            assertThat(existing.statusCode()).as(path).isEqualTo(403);
            assertThat(missing.statusCode()).as(path).isEqualTo(403);
            assertThat(missing.body().replace("nobody", "globex")).as(path).isEqualTo(existing.body());
            assertThat(service.get(path.formatted("acme"), reader).statusCode())
                    .as(path)
                    .isEqualTo(200);
        }
        assertThat(service.get("/v1/namespaces/globex/tables/nothing", reader).body())
                .isEqualTo(
                        service.get("/v1/namespaces/globex/tables/logs", reader).body());
        CatalogClient client = service.client(reader);
        assertThatThrownBy(() -> client.catalog().loadTable(GLOBEX_LOGS)).isInstanceOf(ForbiddenException.class);
        assertThat(client.catalog().loadTable(ACME_LOGS).location()).isEqualTo(acme.location());
    }

    @Test
    void attack08AReaderCommits() {
        Table read = service.client(reader).catalog().loadTable(ACME_LOGS);
        assertThatThrownBy(() -> read.updateProperties().set("p", "v").commit()).isInstanceOf(ForbiddenException.class);
        String deleter = service.person("deleter", "acme", TenantRole.DELETER);
        Table deleted = service.client(deleter).catalog().loadTable(ACME_LOGS);
        assertThatThrownBy(() -> deleted.updateProperties().set("p", "v").commit())
                .isInstanceOf(ForbiddenException.class);
        writersTable().updateProperties().set("p", "v").commit();
        assertThat(service.admin.catalog().loadTable(ACME_LOGS).properties()).containsEntry("p", "v");
    }

    private Table writersTable() {
        String writer = service.person("writer", "acme", TenantRole.READER, TenantRole.WRITER);
        return service.client(writer).catalog().loadTable(ACME_LOGS);
    }

    @Test
    void attack09AWriterSetsAnotherLocation() {
        Table table = writersTable();
        String beside = acme.location().replaceFirst("/[^/]*$", "");
        for (String location : List.of(globex.location(), acme.location() + "/../x", beside, acme.location() + "/x")) {
            assertThatThrownBy(
                            () -> table.updateLocation().setLocation(location).commit())
                    .as(location)
                    .isInstanceOf(BadRequestException.class);
        }
        table.updateLocation().setLocation(acme.location()).commit();
        assertThat(service.admin.catalog().loadTable(ACME_LOGS).location()).isEqualTo(acme.location());
        String writer = service.admin.createToken("writer").token();
        assertThatThrownBy(() -> service.client(writer).catalog().loadTable(GLOBEX_LOGS))
                .isInstanceOf(ForbiddenException.class);
    }

    private static DataFile dataFile(Table table, String location) {
        return DataFiles.builder(table.spec())
                .withPath(location)
                .withPartitionPath("ts_day=2024-01-01")
                .withFileSizeInBytes(10)
                .withRecordCount(1)
                .build();
    }

    @Test
    void attack10AWriterCommitsFilesOfOthers() throws Exception {
        Table table = writersTable();
        for (String location : List.of(
                globex.location() + "/data/x.parquet",
                acme.location() + "/../../../globex/logs/x.parquet",
                acme.location() + "/%2e%2e/x.parquet",
                acme.location() + "x/x.parquet",
                acme.location() + "/data//x.parquet")) {
            assertThatThrownBy(() -> table.newAppend()
                            .appendFile(dataFile(table, location))
                            .commit())
                    .as(location)
                    .isInstanceOf(BadRequestException.class);
            assertThatThrownBy(() -> table.newRowDelta()
                            .addDeletes(FileMetadata.deleteFileBuilder(table.spec())
                                    .ofPositionDeletes()
                                    .withPath(location)
                                    .withPartitionPath("ts_day=2024-01-01")
                                    .withFileSizeInBytes(10)
                                    .withRecordCount(1)
                                    .build())
                            .commit())
                    .as(location)
                    .isInstanceOf(BadRequestException.class);
        }
        table.newAppend()
                .appendFile(dataFile(table, acme.location() + "/data/own.parquet"))
                .commit();
        assertThat(service.admin
                        .catalog()
                        .loadTable(ACME_LOGS)
                        .currentSnapshot()
                        .summary())
                .containsEntry(SnapshotSummary.TOTAL_DATA_FILES_PROP, "1");
        assertThatThrownBy(() -> table.newFastAppend()
                        .appendManifest(manifest(table, globex.location() + "/metadata/m.avro"))
                        .commit())
                .isInstanceOf(BadRequestException.class);
    }

    /** A manifest at a place, with a file of the table. */
    private static ManifestFile manifest(Table table, String location) throws Exception {
        ManifestWriter<DataFile> writer =
                ManifestFiles.write(2, table.spec(), table.io().newOutputFile(location), null);
        writer.add(dataFile(table, table.location() + "/data/in-manifest.parquet"));
        writer.close();
        return writer.toManifestFile();
    }

    /** A small file unpacks to many entries, which all tenants' catalog would read. */
    @Test
    void attack10AWriterCommitsAManifestBomb() throws Exception {
        Table table = writersTable();
        DataFile file = dataFile(table, table.location() + "/data/one.parquet");
        assertThatThrownBy(() -> commitRepeated(table, file, 100_001))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("more than 100000 entries");
    }

    /** The locations are kept until the commit is checked. */
    @Test
    void attack10AWriterCommitsAManifestOfLongLocations() throws Exception {
        Table table = writersTable();
        DataFile file = dataFile(table, table.location() + "/data/" + "x".repeat(1800) + ".parquet");
        assertThatThrownBy(() -> commitRepeated(table, file, 20_000))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("locations of more than");
    }

    /** Commits a manifest of the writer's own, which has one file so many times. */
    private static void commitRepeated(Table table, DataFile file, int times) throws IOException {
        ManifestWriter<DataFile> writer = ManifestFiles.write(
                2, table.spec(), table.io().newOutputFile(table.location() + "/metadata/own.avro"), null);
        try (writer) {
            for (int i = 0; i < times; i++) {
                writer.add(file);
            }
        }
        table.newFastAppend().appendManifest(writer.toManifestFile()).commit();
    }

    /** Expiry deletes the files that a snapshot removed. */
    @Test
    void attack10AWriterRemovesFilesOfOthers() throws Exception {
        Table table = writersTable();
        String metadata = table.location() + "/metadata/";
        for (String victim :
                List.of(globex.location() + "/data/theirs.parquet", acme.location() + "/data/own.parquet")) {
            String manifest = metadata + "removes-" + victim.hashCode() + ".avro";
            ManifestWriter<DataFile> writer =
                    ManifestFiles.write(2, table.spec(), table.io().newOutputFile(manifest), 7L);
            writer.delete(dataFile(table, victim), 1, 1L);
            writer.close();
            String list = ForgedSnapshots.manifestList(
                    table, metadata + "snap-" + victim.hashCode() + ".avro", writer.toManifestFile());
            HttpResponse<String> answer = service.send(
                    "POST",
                    ACME_PATH,
                    ForgedSnapshots.commit(acme.uuid(), list),
                    service.admin.createToken("writer").token());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(victim.startsWith(acme.location()) ? 200 : 400);
        }
    }

    @Test
    void attack10AWriterCommitsAManifestListOfOthers() throws Exception {
        writersTable();
        String token = service.admin.createToken("writer").token();
        for (String list : List.of(globex.location() + "/metadata/snap-1.avro", "/etc/passwd")) {
            HttpResponse<String> answer =
                    service.send("POST", ACME_PATH, ForgedSnapshots.commit(acme.uuid(), list), token);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
            assertThat(answer.body()).contains("does not lie below");
        }
        HttpResponse<String> missing = service.send(
                "POST", ACME_PATH, ForgedSnapshots.commit(acme.uuid(), acme.location() + "/metadata/none.avro"), token);
        assertThat(missing.statusCode()).as(missing.body()).isEqualTo(400);
        assertThat(missing.body()).contains("cannot be read");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "write.location-provider.impl",
                "location-provider.impl",
                "write.data.path",
                "write.metadata.path",
                "write.object-storage.path",
                "write.folder-storage.path",
                "io-impl",
                "s3.endpoint",
                "encryption.key-id",
                "cordwood.offsets",
                "cordwood.usage",
            })
    void attack11AWriterSaysWhereFilesAreAndWhichCodeReadsThem(String property) {
        Table table = writersTable();
        String value = table.location() + "/data";
        assertThatThrownBy(() -> table.updateProperties().set(property, value).commit())
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining(property);
        table.updateProperties()
                .set("write.parquet.compression-codec", "zstd")
                .set("comment", "ours")
                .commit();
    }

    @Test
    void attack12AReaderReadsArchivedThrough() {
        CatalogClient client = service.client(reader);
        forbidden(() -> client.archivedThrough("logs"));
        forbidden(() -> client.pointers("logs"));
        forbidden(() -> client.pointers("logs", List.of("acme")));
        forbidden(() -> client.columns("logs"));
        forbidden(() -> client.flushRequests("logs"));
        forbidden(client::time);
        assertThat(service.client(service.service(ServiceRole.INGEST)).archivedThrough("logs"))
                .isEmpty();
        assertThat(service.client(service.service(ServiceRole.QUERY))
                        .pointers("logs")
                        .tables())
                .hasSize(2);
    }

    private static void forbidden(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        CatalogException.class, e -> assertThat(e.status()).isEqualTo(403));
    }

    @Test
    void attack13IngestMakesUsers() throws Exception {
        String ingest = service.service(ServiceRole.INGEST);
        String mallory = "{\"name\":\"mallory\",\"operator\":true}";
        List<HttpResponse<String>> answers = List.of(
                service.send("PUT", "/cordwood/v1/users/mallory", mallory, ingest),
                service.send("POST", "/cordwood/v1/users/admin/tokens", "{}", ingest),
                service.send("POST", "/cordwood/v1/users/ingest/tokens", "{}", ingest),
                service.send("DELETE", "/cordwood/v1/tokens/" + service.adminToken.id(), "", ingest),
                service.send("DELETE", "/cordwood/v1/tenants/globex", "{\"floors\":{}}", ingest),
                service.get("/cordwood/v1/users", ingest),
                service.get("/cordwood/v1/audit", ingest));
        assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(403);
        assertThat(service.admin.user("mallory")).isEmpty();
        assertThat(service.client(ingest).ensureTable("acme", "more", List.of()).tenantId())
                .as("what it is there for")
                .isEqualTo("acme");
    }

    @Test
    void attack14PagesCountTenants() throws Exception {
        for (int i = 0; i < 30; i++) {
            service.admin.ensureTable("aaa" + i, "logs", List.of());
        }
        Scans.Total own = new Scans.Total("acme", "logs", 7, 1);
        service.admin.reportScans(new Scans(
                "n",
                0,
                List.of(new Scans.Total("globex", "logs", 5, 1), own, new Scans.Total("globex", "logs", 9, 1))));
        HttpResponse<String> page = service.get("/v1/namespaces?pageSize=1&pageToken=", reader);
        assertThat(page.body()).contains("[[\"acme\"]]").doesNotContain("\"next-page-token\":\"");
        assertThat(((SupportsNamespaces) service.client(reader).catalog()).listNamespaces())
                .containsExactly(Namespace.of("acme"));
        assertThat(service.client(reader).tenants()).containsExactly(Tenant.of("acme"));
        String usage = service.send("POST", "/cordwood/v1/usage", "{\"from-hour\":0,\"to-hour\":8}", reader)
                .body();
        assertThat(usage).contains("acme").doesNotContain("globex", "next-hour\":");
        assertThat(service.client(reader).usage(UsageFilter.ALL).usage())
                .extracting(Usage::tenantId)
                .containsExactly("acme");
        assertThat(service.admin.usage(UsageFilter.ALL).usage())
                .extracting(Usage::tenantId)
                .containsExactly("globex", "acme", "globex");
        assertThat(service.get("/v1/namespaces?pageSize=1&pageToken=", service.adminToken.token())
                        .body())
                .contains("\"next-page-token\":\"1\"");
    }

    @Test
    void attack15LargeBodiesToHealth() throws Exception {
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                String method = i % 2 == 0 ? "GET" : "POST";
                answers.add(clients.submit(() -> status(method, "/health", 64 << 20)));
            }
            for (Future<String> answer : answers) {
                assertThat(answer.get()).isEqualTo("HTTP/1.1 413 Payload Too Large");
            }
        }
        assertThat(service.get("/health", "").statusCode()).isEqualTo(200);
        assertThat(status("GET", "/health", 0)).isEqualTo("HTTP/1.1 200 OK");
        assertThat(status("PUT", "/cordwood/v1/users/x", 64 << 20)).isEqualTo("HTTP/1.1 401 Unauthorized");
        String large = "{\"name\":\"x\",\"pad\":\"" + "x".repeat(1 << 20) + "\"}";
        assertThat(service.send("PUT", "/cordwood/v1/users/x", large, service.adminToken.token())
                        .statusCode())
                .isEqualTo(413);
    }

    /** Sends the header and all of the body before it reads the status line. */
    private String status(String method, String path, int bodyBytes) throws Exception {
        byte[] chunk = new byte[64 << 10];
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), service.server.uri().getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write("%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
                    .formatted(method, path, bodyBytes)
                    .getBytes(StandardCharsets.US_ASCII));
            for (int sent = 0; sent < bodyBytes; sent += chunk.length) {
                out.write(chunk);
            }
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }
}
