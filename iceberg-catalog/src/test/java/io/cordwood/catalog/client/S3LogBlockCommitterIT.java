package io.cordwood.catalog.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.catalog.commit.AbstractLogBlockCommitterTests;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.services.FaultyHttpProxy;
import io.cordwood.services.HttpFaults;
import io.cordwood.services.S3Account;
import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.iceberg.catalog.Catalog;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The committer through the catalog service, on a warehouse in an S3 store that is reached badly. */
final class S3LogBlockCommitterIT extends AbstractLogBlockCommitterTests {
    private static final HttpFaults FAULTS = new HttpFaults(Duration.ofMillis(1), 0.03, 0.03, 0.03, 0);

    private static Service store;
    private static FaultyHttpProxy proxy;

    @TempDir
    private Path directory;

    private CatalogServer server;
    private CatalogClient client;

    @BeforeAll
    static void startStore() throws Exception {
        S3Account.useHere();
        store = TestServices.objectStore();
        proxy = FaultyHttpProxy.before(store.address(), 5);
        proxy.let(FAULTS);
    }

    @AfterAll
    static void stopStore() throws IOException {
        proxy.close();
        store.close();
    }

    @Override
    public Catalog catalog() {
        if (server == null) {
            S3Settings settings = new S3Settings(Optional.of(URI.create(proxy.url())), Optional.empty(), true);
            try {
                server = CatalogServer.start(new CatalogServerOptions(
                        "127.0.0.1",
                        0,
                        "jdbc:sqlite:" + directory.resolve("catalog.db"),
                        "s3://%s/%s".formatted(S3Account.BUCKET, UUID.randomUUID()),
                        settings.properties()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            client = CatalogClient.connect(server.uri(), Map.of());
        }
        return client.catalog();
    }

    @Test
    void clientsAreToldHowToReachTheStore() {
        assertThat(client.s3Settings().endpoint()).contains(URI.create(proxy.url()));
        assertThat(client.s3Settings().pathStyle()).isTrue();
        assertThat(client.io().newInputFile(fixture.table().location() + "/no").exists())
                .isFalse();
        try (CatalogClient other = CatalogClient.connect(server.uri(), Map.of(S3Settings.ENDPOINT, "http://other"))) {
            assertThat(other.s3Settings().endpoint()).contains(URI.create("http://other"));
        }
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }
}
