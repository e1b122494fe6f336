package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.client.CatalogException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a catalog service with authentication, run on every database. Each test has a service of its own. */
abstract class AbstractSecuredServiceTests {
    @TempDir
    Path directory;

    String url;
    SecuredService service;
    CatalogClient admin;

    /** URL of an empty database. */
    abstract String jdbcUrl(Path directory) throws Exception;

    @BeforeEach
    void startService() throws Exception {
        url = jdbcUrl(directory);
        service = new SecuredService(url, directory);
        admin = service.admin;
    }

    @AfterEach
    void stopService() {
        service.close();
    }

    static void refused(int status, ThrowingCallable call) {
        refused(status, "", call);
    }

    static void refused(int status, String reason, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(CatalogException.class, e -> {
            assertThat(e.status()).as(e.getMessage()).isEqualTo(status);
            assertThat(e).hasMessageContaining(reason);
        });
    }

    /** Changes the database behind the service's back. */
    void execute(String sql) throws Exception {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
