package io.cordwood.standalone.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.identity.Audience;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.Token;
import io.cordwood.services.Waiting;
import io.cordwood.standalone.attack.SecuredStack.Running;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.BadRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Attacks on the catalog service, each beside what is allowed. */
@ExtendWith(SecuredStack.class)
final class CatalogAttacksIT {
    private static final String ACME_TABLE = "/v1/namespaces/acme/tables/logs";
    private static final String GLOBEX_TABLE = "/v1/namespaces/globex/tables/logs";
    private static final String CONFIG = "/v1/config";
    private static final String WHO_AM_I = "/cordwood/v1/whoami";
    private static final String NO_CHANGE =
            "{\"requirements\":[],\"updates\":[{\"action\":\"set-properties\",\"updates\":{\"comment\":\"x\"}}]}";

    private final Running stack;

    CatalogAttacksIT(Running stack) {
        this.stack = stack;
    }

    @Test
    void attack01AnyRouteWithoutToken() throws Exception {
        for (String route : List.of(
                "GET " + CONFIG,
                "GET /v1/namespaces",
                "GET " + ACME_TABLE,
                "HEAD " + ACME_TABLE,
                "POST " + ACME_TABLE,
                "DELETE " + ACME_TABLE,
                "POST /v1/tables/rename",
                "GET /cordwood/v1/tenants",
                "PUT /cordwood/v1/tenants/acme",
                "DELETE /cordwood/v1/tenants/acme",
                "GET /cordwood/v1/users",
                "PUT /cordwood/v1/users/mallory",
                "POST /cordwood/v1/users/admin/tokens",
                "GET /cordwood/v1/tokens",
                "GET /cordwood/v1/audit",
                "GET /cordwood/v1/jwks",
                "GET /cordwood/v1/token-rules",
                "GET " + WHO_AM_I,
                "GET /cordwood/v1/time",
                "GET /cordwood/v1/usage",
                "GET /cordwood/v1/streams/logs/pointers",
                "POST /cordwood/v1/streams/logs/pointers",
                "GET /cordwood/v1/streams/logs/archived-through",
                "POST /cordwood/v1/streams/logs/tables",
                "GET /metrics",
                "GET /nothing/here")) {
            String[] parts = route.split(" ", -1);
            assertThat(stack.catalog(parts[0], parts[1], "", "{}").statusCode())
                    .as(route)
                    .isEqualTo(401);
        }
        assertThat(stack.catalog("GET", "/health", "", "").statusCode()).isEqualTo(200);
        assertThat(status("GET", CONFIG, SecuredStack.ACME_READER)).isEqualTo(200);
    }

    @Test
    void attack02ASecondBootstrap() throws Exception {
        String bootstrap = stack.secretText("bootstrap.token");
        assertThat(stack.catalog("POST", "/cordwood/v1/bootstrap", bootstrap, "{\"user\":\"mallory\"}")
                        .statusCode())
                .isEqualTo(409);
        assertThat(stack.json(stack.catalog("GET", WHO_AM_I, stack.operatorToken(), ""))
                        .path("operator")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void attack03AnExpiredToken() throws Exception {
        HttpResponse<String> made = stack.catalog(
                "POST",
                "/cordwood/v1/users/%s/tokens".formatted(SecuredStack.ACME_READER),
                stack.operatorToken(),
                "{\"expires_seconds\":10}");
        String token = stack.json(made).path("token").asText();
        assertThat(stack.catalog("GET", CONFIG, token, "").statusCode()).isEqualTo(200);
        Waiting.until(
                "the token expires",
                () -> stack.catalog("GET", CONFIG, token, "").statusCode() == 401);
    }

    @Test
    void attack04AnotherAudience() throws Exception {
        assertThat(stack.catalog("GET", CONFIG, signed("elsewhere"), "").statusCode())
                .isEqualTo(401);
        assertThat(status("GET", CONFIG, SecuredStack.ACME_READER)).isEqualTo(200);
    }

    @Test
    void attack05ARevokedToken() throws Exception {
        String token = stack.createToken(SecuredStack.ACME_READER);
        assertThat(stack.catalog("GET", CONFIG, token, "").statusCode()).isEqualTo(200);
        String id = SignedJWT.parse(token).getJWTClaimsSet().getJWTID();
        stack.ok("token", "revoke", id);
        Instant revoked = Instant.now();
        Waiting.until(
                "the token is refused",
                () -> stack.catalog("GET", CONFIG, token, "").statusCode() == 401);
        assertThat(Duration.between(revoked, Instant.now())).isLessThan(Duration.ofSeconds(5));
        assertThat(status("GET", CONFIG, SecuredStack.ACME_READER)).isEqualTo(200);
    }

    @Test
    void attack06NoSignatureOrAForeignKey() throws Exception {
        JWTClaimsSet claims = SignedJWT.parse(stack.operatorToken()).getJWTClaimsSet();
        String unsigned = new PlainJWT(claims).serialize();
        assertThat(stack.catalog("GET", CONFIG, unsigned, "").statusCode()).isEqualTo(401);
        String foreign = SigningKeys.create()
                .sign(new Token(
                        claims.getJWTID(),
                        claims.getSubject(),
                        Audience.REQUESTS,
                        claims.getIssueTime().toInstant(),
                        claims.getExpirationTime().toInstant(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
        assertThat(stack.catalog("GET", CONFIG, foreign, "").statusCode()).isEqualTo(401);
        assertThat(stack.catalog("GET", CONFIG, stack.operatorToken(), "").statusCode())
                .isEqualTo(200);
    }

    @Test
    void attack07TheTableOfAnotherTenantWhetherItExistsOrNot() throws Exception {
        String reader = stack.token(SecuredStack.ACME_READER);
        HttpResponse<String> exists = stack.catalog("GET", GLOBEX_TABLE, reader, "");
        HttpResponse<String> missing = stack.catalog("GET", "/v1/namespaces/globex/tables/nothing", reader, "");
        HttpResponse<String> noTenant = stack.catalog("GET", "/v1/namespaces/nobody/tables/logs", reader, "");
        assertThat(List.of(exists.statusCode(), missing.statusCode(), noTenant.statusCode()))
                .containsOnly(403);
        assertThat(missing.body()).isEqualTo(exists.body());
        assertThat(noTenant.body().replace("nobody", "globex")).isEqualTo(exists.body());
        assertThat(status("GET", ACME_TABLE, SecuredStack.ACME_READER)).isEqualTo(200);
    }

    @Test
    void attack08AReaderCommits() throws Exception {
        assertThat(stack.catalog("POST", ACME_TABLE, stack.token(SecuredStack.ACME_READER), NO_CHANGE)
                        .statusCode())
                .isEqualTo(403);
        assertThat(stack.catalog("POST", ACME_TABLE, stack.token(SecuredStack.ACME_DELETER), NO_CHANGE)
                        .statusCode())
                .isEqualTo(403);
        assertWriterMayCommit();
    }

    @Test
    void attack09AWriterSetsTheLocationOfAnother() throws Exception {
        String location = stack.json(stack.catalog("GET", GLOBEX_TABLE, stack.operatorToken(), ""))
                .path("metadata")
                .path("location")
                .asText();
        assertThat(location).contains("globex");
        HttpResponse<String> answer = stack.catalog(
                "POST",
                ACME_TABLE,
                stack.token(SecuredStack.ACME_WRITER),
                "{\"requirements\":[],\"updates\":[{\"action\":\"set-location\",\"location\":\"%s\"}]}"
                        .formatted(location));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertWriterMayCommit();
    }

    @Test
    void attack10AWriterCommitsAFileOfAnother() throws Exception {
        try (CatalogClient client = client(SecuredStack.ACME_LOADER);
                CatalogClient operator = clientWith(stack.operatorToken())) {
            Table victim = operator.catalog().loadTable(TableIdentifier.of(SecuredStack.VICTIM, "logs"));
            DataFile stolen = victim.newScan().planFiles().iterator().next().file();
            Table own = client.catalog().loadTable(TableIdentifier.of(SecuredStack.ATTACKER, "logs"));
            assertThatThrownBy(() -> own.newAppend()
                            .appendFile(
                                    DataFiles.builder(own.spec()).copy(stolen).build())
                            .commit())
                    .isInstanceOf(BadRequestException.class)
                    .hasMessageContaining("location");

            DataFile first = own.newScan().planFiles().iterator().next().file();
            String copy = own.location() + "/data/copy.parquet";
            Files.copy(Path.of(URI.create(first.location())), Path.of(URI.create(copy)));
            DataFile added = DataFiles.builder(own.spec())
                    .withPath(copy)
                    .withFormat(FileFormat.PARQUET)
                    .withFileSizeInBytes(first.fileSizeInBytes())
                    .withRecordCount(first.recordCount())
                    .withPartition(first.partition())
                    .build();
            own.refresh();
            own.newAppend().appendFile(added).commit();
            own.newDelete().deleteFile(added).commit();
        }
    }

    @Test
    void attack11AWriterSetsALocationProvider() throws Exception {
        for (String property : List.of(
                "location-provider.impl", "write.data.path", "write.metadata.path", "write.location-provider.impl")) {
            HttpResponse<String> answer = stack.catalog(
                    "POST",
                    ACME_TABLE,
                    stack.token(SecuredStack.ACME_WRITER),
                    "{\"requirements\":[],\"updates\":[{\"action\":\"set-properties\",\"updates\":{\"%s\":\"x\"}}]}"
                            .formatted(property));
            assertThat(answer.statusCode()).as(property).isEqualTo(400);
        }
        assertWriterMayCommit();
    }

    @Test
    void attack12AReaderAsksHowFarAllTenantsAreArchived() throws Exception {
        String path = "/cordwood/v1/streams/logs/archived-through";
        for (String user : List.of(SecuredStack.ACME_READER, SecuredStack.ACME_DELETER, SecuredStack.ACME_WRITER)) {
            assertThat(status("GET", path, user)).isEqualTo(403);
        }
        assertThat(stack.catalog("GET", path, stack.secretText("ingest.token"), "")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void attack13AServiceMakesUsers() throws Exception {
        String ingest = stack.secretText("ingest.token");
        assertThat(stack.catalog(
                                "PUT",
                                "/cordwood/v1/users/mallory",
                                ingest,
                                "{\"name\":\"mallory\",\"operator\":true,\"grants\":{}}")
                        .statusCode())
                .isEqualTo(403);
        assertThat(stack.catalog("POST", "/cordwood/v1/users/admin/tokens", ingest, "{}")
                        .statusCode())
                .isEqualTo(403);
        assertThat(stack.catalog("GET", "/cordwood/v1/streams/logs/archived-through", ingest, "")
                        .statusCode())
                .isEqualTo(200);
        assertThat(stack.catalog(
                                "PUT",
                                "/cordwood/v1/users/clerk",
                                stack.operatorToken(),
                                "{\"name\":\"clerk\",\"operator\":false,\"grants\":{}}")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void attack14CountingTenantsByPaging() throws Exception {
        String reader = stack.token(SecuredStack.ACME_READER);
        HttpResponse<String> page = stack.catalog("GET", "/v1/namespaces?pageSize=1&pageToken=", reader, "");
        assertThat(stack.json(page).path("namespaces").toString()).isEqualTo("[[\"acme\"]]");
        assertThat(stack.json(page).path("next-page-token").isTextual()).isFalse();
        HttpResponse<String> tenants = stack.catalog("GET", "/cordwood/v1/tenants", reader, "");
        assertThat(tenants.body()).contains("acme").doesNotContain("globex");
        assertThat(stack.catalog("GET", "/v1/namespaces", stack.operatorToken(), "")
                        .body())
                .contains("acme", "globex");
    }

    @Test
    void attack15ManyLargeBodiesToAnOpenRoute() throws Exception {
        byte[] chunk = new byte[1 << 16];
        for (int i = 0; i < 100; i++) {
            try (Socket socket = stack.tls(URI.create(stack.endpoint("catalog")))) {
                OutputStream out = socket.getOutputStream();
                out.write(("GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + (64 << 20) + "\r\n\r\n")
                        .getBytes(US_ASCII));
                out.write(chunk);
                out.flush();
                BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
                assertThat(in.readLine()).contains(" 413 ");
            }
        }
        assertThat(stack.catalog("GET", "/health", "", "").statusCode()).isEqualTo(200);
    }

    private void assertWriterMayCommit() throws Exception {
        HttpResponse<String> answer =
                stack.catalog("POST", ACME_TABLE, stack.token(SecuredStack.ACME_WRITER), NO_CHANGE);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private int status(String method, String path, String user) throws Exception {
        return stack.catalog(method, path, stack.token(user), "").statusCode();
    }

    /** A token like the operator's own, for another audience. */
    private String signed(String audience) throws Exception {
        ECKey key = (ECKey)
                JWKSet.parse(stack.secretText("signing-keys.json")).getKeys().getFirst();
        JWTClaimsSet own = SignedJWT.parse(stack.operatorToken()).getJWTClaimsSet();
        SignedJWT jwt = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(key.getKeyID()).build(),
                new JWTClaimsSet.Builder(own)
                        .audience(audience)
                        .expirationTime(Date.from(Instant.now().plusSeconds(60)))
                        .build());
        jwt.sign(new ECDSASigner(key));
        return jwt.serialize();
    }

    private CatalogClient client(String user) {
        return clientWith(stack.token(user));
    }

    private CatalogClient clientWith(String token) {
        return CatalogClient.connect(
                URI.create(stack.endpoint("catalog")),
                Map.of("token", token, "ca-file", stack.authorities().toString()));
    }
}
