package io.cordwood.catalog.server.backup;

import io.cordwood.catalog.io.LocalFileIO;
import io.cordwood.catalog.io.WarehouseFileIO;
import io.cordwood.catalog.server.JdbcUrl;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/** Options of the programs of this package. */
final class BackupFlags {
    @Option(
            names = "--jdbc-url-file",
            required = true,
            paramLabel = "FILE",
            converter = JdbcUrl.File.class,
            description = "a file with the URL of the catalog's database")
    private String jdbcUrl;

    @Option(names = "--warehouse", required = true, paramLabel = "URI", description = "location of the warehouse")
    private String warehouse;

    @Option(
            names = "--property",
            paramLabel = "NAME=VALUE",
            description = "how to reach the S3 store, as the catalog service takes it")
    private Map<String, String> properties = Map.of();

    String jdbcUrl() {
        return jdbcUrl;
    }

    String warehouse() {
        return location(warehouse);
    }

    Map<String, String> properties() {
        return properties;
    }

    WarehouseFileIO io() {
        WarehouseFileIO io = new WarehouseFileIO();
        io.initialize(properties);
        return io;
    }

    /** A directory or URI as a location. */
    static String location(String place) {
        return place.contains(":") ? place : LocalFileIO.location(Path.of(place).normalize());
    }
}
