package io.cordwood.trino;

import io.airlift.log.Logger;
import io.airlift.log.Logging;
import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.server.CatalogServer;
import io.cordwood.catalog.server.CatalogServerOptions;
import io.cordwood.catalog.tenant.User;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.trino.Session;
import io.trino.spi.security.Identity;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedResult;
import io.trino.testing.TestingSession;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A catalog service and a Trino server with the connector in one process; {@link #main} keeps them running. */
public final class CordwoodQueryRunner implements AutoCloseable {
    /** Small column blocks and an index at any size, so that small tables go through all of the reader. */
    public static final LogBlockOptions SMALL_BLOCKS = new LogBlockOptions(3, 4 << 10, 1 << 10, 256, 4096, 0);

    /** A user who sees every tenant. */
    static final String OPERATOR = "root";

    private final CatalogServer server;
    private final CatalogClient client;
    private final DistributedQueryRunner trino;
    private final SampleTables tables;

    private CordwoodQueryRunner(
            CatalogServer server, CatalogClient client, DistributedQueryRunner trino, SampleTables tables) {
        this.server = server;
        this.client = client;
        this.trino = trino;
        this.tables = tables;
    }

    /** Starts both with their files under a directory. */
    static CordwoodQueryRunner start(Path home, Map<String, String> connectorProperties) throws Exception {
        return start(home, connectorProperties, session("acme", "admin"), 0);
    }

    /** As {@link #start(Path, Map)}, with a session of its own and workers beside the coordinator. */
    static CordwoodQueryRunner start(Path home, Map<String, String> connectorProperties, Session session, int workers)
            throws Exception {
        Logging.initialize();
        CatalogServer server = CatalogServer.start(new CatalogServerOptions(
                "127.0.0.1",
                0,
                "jdbc:sqlite:" + home.resolve("catalog.db"),
                // Locations are not percent-encoded
                home.resolve("ware house%20#1?").toString(),
                Map.of()));
        CatalogClient client = CatalogClient.connect(server.uri(), Map.of());
        client.putUser(User.operator(OPERATOR));
        DistributedQueryRunner trino =
                DistributedQueryRunner.builder(session).setWorkerCount(workers).build();
        trino.installPlugin(new CordwoodPlugin());
        CordwoodQueryRunner runner =
                new CordwoodQueryRunner(server, client, trino, new SampleTables(client, SMALL_BLOCKS));
        runner.addCatalog("cordwood", connectorProperties);
        return runner;
    }

    /** Makes one more catalog of Trino's on the same tables. */
    void addCatalog(String name, Map<String, String> connectorProperties) {
        Map<String, String> properties = new HashMap<>(connectorProperties);
        properties.putIfAbsent("cordwood.catalog-uri", server.uri().toString());
        trino.createCatalog(name, "cordwood", properties);
    }

    static Session session(String schema, String user) {
        return TestingSession.testSessionBuilder()
                .setCatalog("cordwood")
                .setSchema(schema)
                .setIdentity(Identity.ofUser(user))
                .build();
    }

    URI catalogUri() {
        return server.uri();
    }

    CatalogClient catalog() {
        return client;
    }

    SampleTables tables() {
        return tables;
    }

    DistributedQueryRunner trino() {
        return trino;
    }

    MaterializedResult execute(String sql) {
        return trino.execute(sql);
    }

    /** The rows of a query, each a list of values. */
    List<List<Object>> rows(Session session, String sql) {
        return trino.execute(session, sql).getMaterializedRows().stream()
                .map(row -> row.getFields())
                .toList();
    }

    List<List<Object>> rows(String sql) {
        return rows(trino.getDefaultSession(), sql);
    }

    @Override
    public void close() throws IOException {
        trino.close();
        client.close();
        server.close();
    }

    /** Starts a server with sample data and keeps it running; the log says where it listens. */
    public static void main(String[] arguments) throws Exception {
        Path home = arguments.length > 0 ? Path.of(arguments[0]) : Files.createTempDirectory("cordwood-query-runner");
        CordwoodQueryRunner runner = start(home, Map.of("cordwood.streams", "logs"));
        SampleLogs.write(runner.tables(), "acme", 20_000, 1);
        SampleLogs.write(runner.tables(), "12276", 5_000, 2);
        Logger.get(CordwoodQueryRunner.class)
                .info(
                        "Trino with sample data: %s",
                        runner.trino().getCoordinator().getBaseUrl());
    }
}
