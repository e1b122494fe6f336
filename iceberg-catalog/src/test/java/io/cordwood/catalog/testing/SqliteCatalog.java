package io.cordwood.catalog.testing;

import io.cordwood.catalog.io.LocalFileIO;
import java.nio.file.Path;
import java.util.Map;

/** A JDBC catalog on SQLite, whose database and warehouse are in one directory. Stateless. */
public final class SqliteCatalog {
    private SqliteCatalog() {}

    /** Address of the database. */
    public static String url(Path directory) {
        return "jdbc:sqlite:" + directory.resolve("catalog.db");
    }

    /** Properties as the catalog service sets them. */
    public static Map<String, String> properties(Path directory) {
        return Map.of(
                "uri",
                url(directory),
                "warehouse",
                "file://" + directory.resolve("warehouse"),
                "io-impl",
                LocalFileIO.class.getName(),
                "jdbc.schema-version",
                "V1",
                "jdbc.journal_mode",
                "WAL",
                "jdbc.busy_timeout",
                "30000");
    }
}
