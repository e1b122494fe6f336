package io.cordwood.standalone.catalog;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.identity.PemFiles;
import io.cordwood.identity.ServiceRole;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The catalog's endpoints for users and tokens. Each request is made with a token of its own. Thread-safe.
 *
 * <p>Methods throw {@link IOException} if the catalog does not answer, and {@link RefusedException} if it refuses.
 */
public final class CatalogIdentity implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI catalog;
    private final HttpClient http;

    /** The catalog refuses a request. */
    public static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;
        private final int status;

        RefusedException(int status, String message) {
            super(message);
            this.status = status;
        }

        /** The status of its answer. */
        public int status() {
            return status;
        }
    }

    /** @param authorities whom to trust with the catalog's certificate */
    public CatalogIdentity(URI catalog, Path authorities) throws IOException {
        this.catalog = requireNonNull(catalog, "catalog is null");
        http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(TIMEOUT)
                .sslContext(PemFiles.trusting(authorities))
                .build();
    }

    /** Makes the first operator. @return its token */
    public String bootstrap(String bootstrapToken, String user) throws IOException, InterruptedException {
        return token(send("POST", "bootstrap", JSON.createObjectNode().put("user", user), bootstrapToken));
    }

    /** Makes the user of a service, which is named like its role. */
    public void putService(String operator, ServiceRole role) throws IOException, InterruptedException {
        ObjectNode user = JSON.createObjectNode()
                .put("name", role.label())
                .put("operator", false)
                .put("service", role.label());
        user.putObject("grants");
        send("PUT", "users/" + role.label(), user, operator);
    }

    /** A new token for all that a user may do. */
    public String createToken(String bearer, String user, Duration life) throws IOException, InterruptedException {
        ObjectNode wish = JSON.createObjectNode().put("expires_seconds", life.toSeconds());
        return token(send("POST", "users/%s/tokens".formatted(user), wish, bearer));
    }

    /** A new token of the bearer's own user, for records of one stream of a tenant. */
    public String createWriterToken(String bearer, String tenant, String stream, Duration life)
            throws IOException, InterruptedException {
        String user = send("GET", "whoami", null, bearer).path("user").asText();
        ObjectNode wish = JSON.createObjectNode()
                .put("tenant", tenant)
                .put("role", "writer")
                .put("expires_seconds", life.toSeconds());
        wish.putArray("streams").add(stream);
        return token(send("POST", "users/%s/tokens".formatted(user), wish, bearer));
    }

    private static String token(JsonNode issued) {
        return issued.path("token").asText();
    }

    private JsonNode send(String method, String path, ObjectNode body, String token)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("%s/cordwood/v1/%s".formatted(catalog, path)))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body.toString()))
                .build();
        HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() >= 300) {
            throw new RefusedException(
                    response.statusCode(), "the catalog refuses %s %s: %s".formatted(method, path, reason(response)));
        }
        return response.body().length == 0 ? JSON.missingNode() : JSON.readTree(response.body());
    }

    private static String reason(HttpResponse<byte[]> response) {
        try {
            JsonNode error = JSON.readTree(response.body()).path("error");
            return Optional.of(error.path("message").asText(error.asText("")))
                    .filter(text -> !text.isEmpty())
                    .orElse("status " + response.statusCode());
        } catch (IOException e) {
            return "status " + response.statusCode();
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
