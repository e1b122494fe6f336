package io.cordwood.catalog.server;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.protocol.IssuedToken;
import io.cordwood.catalog.protocol.TokenRequest;
import io.cordwood.catalog.server.storage.StorageRole;
import io.cordwood.catalog.tenant.User;
import io.cordwood.identity.OpenIdProvider;
import io.cordwood.identity.ServiceRole;
import io.cordwood.identity.SigningKeys;
import io.cordwood.identity.TenantRole;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** A catalog service with authentication, its first operator, and requests of other users. */
public final class SecuredService implements AutoCloseable {
    static final String BOOTSTRAP_TOKEN = "a-secret-of-the-first-start";

    public final CatalogServer server;
    public final SigningKeys keys;
    public final IssuedToken adminToken;
    /** Client of the operator {@code admin}. */
    public final CatalogClient admin;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<CatalogClient> clients = new ArrayList<>();

    public SecuredService(String jdbcUrl, Path directory) throws IOException {
        this(jdbcUrl, directory, warehouse(directory), Map.of(), Optional.empty(), Optional.empty());
    }

    /** A service that exchanges the tokens of an OpenID provider. */
    SecuredService(String jdbcUrl, Path directory, OpenIdProvider.Settings issuer) throws IOException {
        this(jdbcUrl, directory, warehouse(directory), Map.of(), Optional.of(issuer), Optional.empty());
    }

    /** A service with this warehouse, properties that say how to reach its store, and the role of vended keys. */
    public SecuredService(
            String jdbcUrl,
            Path directory,
            String warehouse,
            Map<String, String> properties,
            Optional<StorageRole> role)
            throws IOException {
        this(jdbcUrl, directory, warehouse, properties, Optional.empty(), role);
    }

    private SecuredService(
            String jdbcUrl,
            Path directory,
            String warehouse,
            Map<String, String> properties,
            Optional<OpenIdProvider.Settings> issuer,
            Optional<StorageRole> role)
            throws IOException {
        Path keyFile = directory.resolve("signing-keys.json");
        if (!Files.exists(keyFile)) {
            Files.writeString(keyFile, SigningKeys.create().toJson());
        }
        keys = SigningKeys.read(keyFile);
        Path bootstrapFile = Files.writeString(directory.resolve("bootstrap.token"), BOOTSTRAP_TOKEN + "\n");
        server = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                jdbcUrl,
                warehouse,
                properties,
                Optional.of(new CatalogServerOptions.Authentication(bootstrapFile, keyFile, issuer)),
                Optional.empty(),
                OptionalInt.of(0),
                role));
        adminToken = CatalogClient.bootstrap(server.uri(), Map.of(), BOOTSTRAP_TOKEN, "admin");
        admin = client(adminToken.token());
    }

    private static String warehouse(Path directory) {
        return directory.resolve("warehouse").toString();
    }

    public CatalogClient client(String token) {
        CatalogClient client = CatalogClient.connect(server.uri(), Map.of(CatalogClient.TOKEN, token));
        clients.add(client);
        return client;
    }

    /** Makes a person with these roles in a tenant, and returns its token. */
    public String person(String name, String tenant, TenantRole... roles) {
        admin.putUser(User.person(name, Map.of(tenant, Set.of(roles))));
        return admin.createToken(name).token();
    }

    /** Makes the user of a service, and returns its token. */
    public String service(ServiceRole role) {
        admin.putUser(User.service(role));
        return admin.createToken(role.label(), TokenRequest.DEFAULT).token();
    }

    public HttpResponse<String> get(String path, String token) throws Exception {
        return send("GET", path, "", token);
    }

    /** Sends a request with a token, unless that is empty. */
    public HttpResponse<String> send(String method, String path, String body, String token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.uri() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Sends a form to the token endpoint. */
    HttpResponse<String> form(String form, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.uri() + "/cordwood/v1/oauth2/token"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        http.close();
        clients.forEach(CatalogClient::close);
        server.close();
    }
}
