package io.cordwood.catalog.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.server.SecuredService;
import io.cordwood.identity.TenantRole;
import io.cordwood.services.S3Account;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.sts.model.Credentials;

/**
 * Keys that the catalog service vends for a warehouse in MinIO, which has a security token service, and the attacks
 * with them by their numbers in the threat model. Tenant {@code acme} attacks {@code globex}.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class VendedKeysIT {
    private static final String ROLE = "arn:minio:iam:::role/readers";
    private static final String BUCKET = S3Account.BUCKET;
    private static final int FORBIDDEN = 403;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<S3Client> clients = new ArrayList<>();
    private Service store;
    private SecuredService service;
    private String reader;
    private String writer;
    private String acmeKey;
    private String globexKey;

    @BeforeAll
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void start(@TempDir Path directory) throws Exception {
        S3Account.useHere();
        store = TestServices.minio();
        service = new SecuredService(
                "jdbc:sqlite:" + directory.resolve("catalog.db"),
                directory,
                "s3://%s/wh".formatted(BUCKET),
                new S3Settings(Optional.of(URI.create(store.url())), Optional.empty(), true).properties(),
                Optional.of(new StorageRole(ROLE, Optional.of(URI.create(store.url())))));
        acmeKey = object("acme", "logs", "rows of acme");
        globexKey = object("globex", "logs", "rows of globex");
        reader = service.person("reader", "acme", TenantRole.READER);
        writer = service.person("writer", "acme", TenantRole.READER, TenantRole.WRITER);
    }

    @AfterAll
    void stop() throws IOException {
        http.close();
        clients.forEach(S3Client::close);
        service.close();
        store.close();
    }

    /** Puts an object below a table, which it makes if need be; returns the object's key. */
    private String object(String tenant, String stream, String content) throws IOException {
        String location = service.admin.ensureTable(tenant, stream, List.of()).location() + "/data/ü =1/a.parquet";
        try (OutputStream out = service.admin.io().newOutputFile(location).create()) {
            out.write(content.getBytes(StandardCharsets.UTF_8));
        }
        return location.substring("s3://%s/".formatted(BUCKET).length());
    }

    @Test
    void attack16AVendedKeyReadsGlobex() throws Exception {
        S3Client s3 = client(vended(reader, "acme", "logs"));
        assertThat(read(s3, acmeKey)).as("its own").isEqualTo("rows of acme");
        assertRefused(() -> read(s3, globexKey));
        assertRefused(() -> s3.headObject(head -> head.bucket(BUCKET).key(globexKey)));
        assertRefused(() -> read(s3, globexKey + "-missing"));
        assertRefused(() -> s3.getObjectAcl(acl -> acl.bucket(BUCKET).key(globexKey)));
        assertThat(load(reader, "globex", "logs", "vended-credentials").statusCode())
                .as("a key to globex")
                .isEqualTo(FORBIDDEN);
    }

    @Test
    void attack16AVendedKeyReadsTablesWhoseNamesBeginAlike() throws Exception {
        List<String> others =
                List.of(object("acme", "logs2", "a"), object("acme-2", "logs", "b"), object("acme2", "logs", "c"));
        S3Client s3 = client(vended(reader, "acme", "logs"));
        assertThat(read(s3, acmeKey)).isEqualTo("rows of acme");
        for (String other : others) {
            assertRefused(() -> read(s3, other));
        }
        for (String odd : List.of("a*", "*", "acm?", "${aws:username}", "a/../globex")) {
            String own = object(odd, "logs", "rows of " + odd);
            String token = service.person("reader of " + odd, odd, TenantRole.READER);
            String schema = own.split("/", 3)[1];
            S3Client odds = client(vended(token, schema, "logs"));
            assertThat(read(odds, own)).as(odd).isEqualTo("rows of " + odd);
            assertRefused(() -> read(odds, acmeKey));
            assertRefused(() -> read(odds, globexKey));
        }
    }

    @Test
    void attack16NoLocationIsAPattern() throws Exception {
        try (DefaultCredentialsProvider credentials =
                        DefaultCredentialsProvider.builder().build();
                VendedKeys keys = keys(credentials, InstantSource.system())) {
            S3Client own = client(credentials.resolveCredentials());
            for (String odd : List.of("p*", "p?1", "${aws:username}", "${*}", "p$")) {
                assertThatThrownBy(() -> keys.reading(BUCKET, "odd/" + odd + "/"))
                        .hasMessageContaining("No keys are vended");
            }
            for (String plain : List.of("p", "p[12]", "p\\1", "p~+=@!%2A ü\"", "p{a,b}", "p'(1)&<>")) {
                write(own, "odd/" + plain + "/a", plain);
                S3Client s3 = client(session(keys.reading(BUCKET, "odd/" + plain + "/")));
                assertThat(read(s3, "odd/" + plain + "/a")).isEqualTo(plain);
                for (String other : List.of("p1", "p2", "pa", "p* ü\"", S3Account.ACCESS_KEY)) {
                    write(own, "odd/" + other + "/a", other);
                    assertRefused(() -> read(s3, "odd/" + other + "/a"));
                }
            }
        }
    }

    @Test
    void attack16AVendedKeyLists() throws Exception {
        S3Client s3 = client(vended(reader, "acme", "logs"));
        for (String prefix : List.of("", "wh/", "wh/globex/", "wh/acme/")) {
            assertRefused(() -> s3.listObjectsV2(list -> list.bucket(BUCKET).prefix(prefix)));
            assertRefused(
                    () -> s3.listObjectVersions(list -> list.bucket(BUCKET).prefix(prefix)));
            assertRefused(
                    () -> s3.listMultipartUploads(list -> list.bucket(BUCKET).prefix(prefix)));
        }
        assertRefused(s3::listBuckets);
        assertThat(read(s3, acmeKey)).as("the twin").isEqualTo("rows of acme");
    }

    @Test
    void attack17AReadersKeyWrites() throws Exception {
        assertNothingIsWrittenWith(client(vended(reader, "acme", "logs")));
    }

    /** A key that writes could replace what is committed: writers write by signing alone. */
    @Test
    void attack17AWritersKeyWrites() throws Exception {
        assertNothingIsWrittenWith(client(vended(writer, "acme", "logs")));
        JsonNode both = config(load(writer, "acme", "logs", "vended-credentials,remote-signing"));
        assertThat(both.path("s3.remote-signing-enabled").asText()).isEqualTo("true");
        assertThat(both.has("s3.access-key-id")).isFalse();
    }

    /** This store takes headers that are not signed: an upload that is signed could copy what globex has. */
    @Test
    void attack17AWritersUploadBecomesACopyOfGlobex() throws Exception {
        String target = acmeKey + "-copy";
        HttpResponse<String> refused = sign(writer, "PUT", address(target), "acme");
        assertThat(refused.statusCode()).isEqualTo(FORBIDDEN);
        assertThat(refused.body()).contains("Uploads are not signed");
        assertThat(sign(writer, "GET", address(acmeKey), "acme").statusCode())
                .as("the twin")
                .isEqualTo(200);

        try (DefaultCredentialsProvider credentials =
                DefaultCredentialsProvider.builder().build()) {
            HttpRequest.Builder copy = HttpRequest.newBuilder(address(target)).PUT(HttpRequest.BodyPublishers.noBody());
            new RequestSigner(credentials, "us-east-1")
                    .headers(
                            "PUT",
                            address(target),
                            Map.of(ObjectRequest.CONTENT_SHA256, ObjectRequest.UNSIGNED_PAYLOAD, "if-none-match", "*"),
                            Set.of())
                    .forEach((name, values) -> copy.header(name, values.getFirst()));
            copy.header("x-amz-copy-source", address(globexKey).getRawPath());
            assertThat(http.send(copy.build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            assertThat(read(client(credentials.resolveCredentials()), target))
                    .as("what the refusal is for")
                    .isEqualTo("rows of globex");
        }
    }

    private void assertNothingIsWrittenWith(S3Client s3) {
        for (String key : List.of(acmeKey, acmeKey + "-new", globexKey, globexKey + "-new")) {
            assertRefused(() -> write(s3, key, "forged"));
            assertRefused(() -> s3.deleteObject(delete -> delete.bucket(BUCKET).key(key)));
            assertRefused(() ->
                    s3.createMultipartUpload(create -> create.bucket(BUCKET).key(key)));
            assertRefused(() -> s3.copyObject(copy -> copy.sourceBucket(BUCKET)
                    .sourceKey(acmeKey)
                    .destinationBucket(BUCKET)
                    .destinationKey(key)));
        }
        Delete many = Delete.builder()
                .objects(ObjectIdentifier.builder().key(acmeKey).build())
                .build();
        assertThat(s3.deleteObjects(delete -> delete.bucket(BUCKET).delete(many))
                        .errors())
                .singleElement()
                .satisfies(error -> assertThat(error.code()).isEqualTo("AccessDenied"));
        assertThat(read(s3, acmeKey)).as("the twin").isEqualTo("rows of acme");
    }

    @Test
    void aKeyAloneOrWithoutItsSessionIsGoodForNothing() throws Exception {
        AwsSessionCredentials vended = vended(reader, "acme", "logs");
        AwsSessionCredentials other = vended(service.person("other", "globex", TenantRole.READER), "globex", "logs");
        S3Client mixed = client(
                AwsSessionCredentials.create(vended.accessKeyId(), vended.secretAccessKey(), other.sessionToken()));
        assertRefused(() -> read(mixed, globexKey));
        assertRefused(() -> read(mixed, acmeKey));
        assertThat(read(client(other), globexKey)).as("the twin").isEqualTo("rows of globex");
    }

    @Test
    void aKeyEndsWithinTheHourAndIsAskedForAgainBefore() throws Exception {
        JsonNode config = config(load(reader, "acme", "logs", "vended-credentials"));
        Instant end = Instant.ofEpochMilli(
                config.path("s3.session-token-expires-at-ms").asLong());
        assertThat(end)
                .isAfter(Instant.now().plus(Duration.ofMinutes(50)))
                .isBefore(Instant.now().plus(VendedKeys.SESSION).plusSeconds(1));

        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        try (DefaultCredentialsProvider credentials =
                        DefaultCredentialsProvider.builder().build();
                VendedKeys keys = keys(credentials, now::get)) {
            Credentials first = keys.reading(BUCKET, "wh/");
            now.set(first.expiration().minus(Duration.ofMinutes(11)));
            assertThat(keys.reading(BUCKET, "wh/")).isEqualTo(first);
            now.set(first.expiration().minus(Duration.ofMinutes(9)));
            assertThat(keys.reading(BUCKET, "wh/")).isNotEqualTo(first);
        }
    }

    private VendedKeys keys(DefaultCredentialsProvider credentials, InstantSource clock) {
        return new VendedKeys(credentials, "us-east-1", ROLE, Optional.of(URI.create(store.url())), clock);
    }

    private AwsSessionCredentials vended(String token, String schema, String stream) throws Exception {
        JsonNode config = config(load(token, schema, stream, "vended-credentials"));
        return AwsSessionCredentials.create(
                config.path("s3.access-key-id").asText(),
                config.path("s3.secret-access-key").asText(),
                config.path("s3.session-token").asText());
    }

    private static AwsSessionCredentials session(Credentials vended) {
        return AwsSessionCredentials.create(vended.accessKeyId(), vended.secretAccessKey(), vended.sessionToken());
    }

    private HttpResponse<String> load(String token, String schema, String stream, String delegation) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("%s/v1/namespaces/%s/tables/%s".formatted(service.server.uri(), schema, stream)))
                .header("Authorization", "Bearer " + token)
                .header(AccessDelegation.HEADER, delegation)
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode config(HttpResponse<String> loaded) throws Exception {
        assertThat(loaded.statusCode()).as(loaded.body()).isEqualTo(200);
        return Json.MAPPER.readTree(loaded.body()).path("config");
    }

    private URI address(String key) {
        String path = key.replace(" ", "%20").replace("=", "%3D").replace("ü", "%C3%BC");
        return URI.create("%s/%s/%s".formatted(store.url(), BUCKET, path));
    }

    private HttpResponse<String> sign(String token, String method, URI target, String schema) throws Exception {
        String request = Json.object()
                .put("region", "us-east-1")
                .put("method", method)
                .put("uri", target.toString())
                .set("headers", Json.object())
                .toString();
        return service.send("POST", "/v1/namespaces/%s/tables/logs/sign".formatted(schema), request, token);
    }

    private S3Client client(AwsCredentials credentials) {
        S3Client client = S3Client.builder()
                .endpointOverride(URI.create(store.url()))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .httpClientBuilder(Apache5HttpClient.builder())
                .credentialsProvider(StaticCredentialsProvider.create(credentials))
                .build();
        clients.add(client);
        return client;
    }

    private static String read(S3Client s3, String key) {
        return s3.getObjectAsBytes(get -> get.bucket(BUCKET).key(key)).asUtf8String();
    }

    private static void write(S3Client s3, String key, String content) {
        s3.putObject(put -> put.bucket(BUCKET).key(key), RequestBody.fromString(content));
    }

    private static void assertRefused(ThrowingCallable request) {
        assertThatThrownBy(request)
                .isInstanceOfSatisfying(
                        S3Exception.class,
                        refused -> assertThat(refused.statusCode()).isEqualTo(FORBIDDEN));
    }
}
