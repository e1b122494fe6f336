package io.cordwood.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client learns of a database that fails: nothing. */
class InternalErrorTest {
    @TempDir
    private Path directory;

    @Test
    void messagesOfTheDatabaseStayInTheLog() throws Exception {
        String url = "jdbc:sqlite:" + directory.resolve("catalog.db");
        try (ServiceFixture service = new ServiceFixture(url, directory.resolve("warehouse"))) {
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("DROP TABLE cordwood_tenants");
                statement.execute("DROP TABLE iceberg_tables");
            }
            for (String path : new String[] {"/cordwood/v1/tenants", "/v1/namespaces"}) {
                HttpResponse<String> answer = service.get(path);
                assertThat(answer.statusCode()).isEqualTo(500);
                assertThat(answer.body())
                        .contains("its log says why")
                        .doesNotContainIgnoringCase("sql")
                        .doesNotContain("no such table", "cordwood_tenants", "iceberg_tables");
            }
        }
    }
}
