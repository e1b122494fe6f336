package io.cordwood.standalone;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.server.storage.StorageRole;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.TenantRole;
import io.cordwood.services.S3Account;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import io.cordwood.standalone.secret.Secrets;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs of others at a closed catalog, whose warehouse is in MinIO: with nothing but a token of a reader of {@code
 * acme} they read its rows, and none of {@code globex}, neither by the catalog nor with the access to the store that
 * they got. What each program does is in src/test/python/tools.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StorageToolsIT {
    private static final long ROWS = 6_000;

    private final ObjectNode job = new ObjectMapper().createObjectNode();
    private Path jobFile;
    private Service store;
    private CatalogServer server;
    private CatalogClient admin;

    @BeforeAll
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void start(@TempDir Path directory) throws Exception {
        S3Account.useHere();
        store = TestServices.minio();
        Secrets secrets = new Secrets(directory.resolve("secrets"));
        secrets.prepare("127.0.0.1:1");
        URI endpoint = URI.create(store.url());
        server = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + directory.resolve("catalog.db"),
                "s3://%s/warehouse".formatted(S3Account.BUCKET),
                new S3Settings(Optional.of(endpoint), Optional.empty(), true).properties(),
                Optional.of(new CatalogServerOptions.Authentication(
                        secrets.bootstrapToken(), secrets.signingKeys(), Optional.empty())),
                Optional.of(secrets.certificate("catalog")),
                OptionalInt.empty(),
                Optional.of(new StorageRole("arn:minio:iam:::role/readers", Optional.of(endpoint)))));
        String authorities = secrets.authorities().toString();
        String bootstrap = Files.readString(secrets.bootstrapToken()).strip();
        String operator = CatalogClient.bootstrap(
                        server.uri(), Map.of(CatalogClient.CA_FILE, authorities), bootstrap, "admin")
                .token();
        admin = CatalogClient.connect(
                server.uri(), Map.of(CatalogClient.CA_FILE, authorities, CatalogClient.TOKEN, operator));
        StoredRows rows = new StoredRows(admin);
        String own = rows.add("acme", 0, ROWS - 1);
        rows.add("acme", ROWS - 1, ROWS);
        String foreign = rows.add("globex", 0, 10);
        admin.putUser(User.person("ann", Map.of("acme", Set.of(TenantRole.READER))));
        job.put("catalog", server.uri().toString())
                .put("authorities", authorities)
                .put("trust-store", secrets.trustStore().toString())
                .put("token", admin.createToken("ann").token())
                .put("rows", ROWS)
                .put("own", own)
                .put("foreign", foreign);
        // For its owner alone, as the secrets are
        jobFile = secrets.directory().resolve("job.json");
        Files.writeString(jobFile, job.toString());
    }

    @AfterAll
    void stop() throws IOException {
        admin.close();
        server.close();
        store.close();
    }

    /** The first of them also installs its packages. */
    @ParameterizedTest
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    @ValueSource(strings = {"pyiceberg-signed", "pyiceberg-vended", "duckdb-vended", "spark"})
    void attack16AToolWithATokenReadsGlobex(String tool) throws Exception {
        // It has no keys of its own, wherever it would look for them
        Map<String, String> environment = Map.of(
                "CORDWOOD_PYTHON_PACKAGE",
                "tools",
                "AWS_SHARED_CREDENTIALS_FILE",
                jobFile.resolveSibling("none").toString(),
                "AWS_EC2_METADATA_DISABLED",
                "true");
        Script.run(
                        List.of(
                                Program.root()
                                        .resolve("standalone/src/test/python/run")
                                        .toString(),
                                tool,
                                jobFile.toString()),
                        environment)
                .assertCode(0);
    }
}
