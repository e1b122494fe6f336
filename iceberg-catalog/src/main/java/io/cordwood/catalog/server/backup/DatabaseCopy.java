package io.cordwood.catalog.server.backup;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cordwood.catalog.json.Json;
import io.cordwood.catalog.server.store.Database;
import io.cordwood.catalog.server.store.PointerStore;
import io.cordwood.catalog.server.store.StoredPointer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * The rows of the catalog's database in a ZIP file, which any database of a catalog takes: a backup of SQLite can be
 * restored into PostgreSQL. Stateless, thread-safe.
 *
 * <p>{@code tables/NAME.jsonl} has a JSON array with the names of the columns, and one with the values of each row.
 * {@code manifest.json} is the last entry.
 */
final class DatabaseCopy {
    /** Version of the file's format. */
    private static final int FORMAT = 1;

    private static final String MANIFEST = "manifest.json";
    private static final String DIRECTORY = "tables/";
    private static final String SUFFIX = ".jsonl";
    /** Tables of Iceberg's JDBC catalog, which stand beside Cordwood's own. */
    private static final List<String> ICEBERG_TABLES = List.of("iceberg_namespace_properties", "iceberg_tables");

    private static final String OWN_PREFIX = "cordwood_";
    /** It belongs to the database, not to what is in it. */
    private static final String SCHEMA_VERSION_TABLE = "cordwood_schema";

    private static final int BATCH = 1000;

    /**
     * What a backup says of itself.
     *
     * @param time when its transaction began
     * @param warehouse location of the warehouse
     * @param rows number of rows by table
     */
    record Manifest(Instant time, String warehouse, Map<String, Long> rows) {
        long allRows() {
            return rows.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    private DatabaseCopy() {}

    /** Writes all rows, which the connection sees at one point in time. Returns the number of rows by table. */
    static Manifest write(Connection connection, ZipOutputStream zip, Instant time, String warehouse)
            throws SQLException, IOException {
        Map<String, Long> rows = new TreeMap<>();
        for (String table : tables(connection)) {
            zip.putNextEntry(new ZipEntry(DIRECTORY + table + SUFFIX));
            rows.put(table, writeTable(connection, table, zip));
            zip.closeEntry();
        }
        Manifest manifest = new Manifest(time, warehouse, Collections.unmodifiableMap(rows));
        zip.putNextEntry(new ZipEntry(MANIFEST));
        zip.write(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(toJson(manifest)));
        zip.closeEntry();
        return manifest;
    }

    /** Whether a catalog service has used this database. */
    static boolean hasCatalog(Connection connection) throws SQLException {
        return tables(connection).containsAll(ICEBERG_TABLES);
    }

    private static List<String> tables(Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet found =
                connection.getMetaData().getTables(null, connection.getSchema(), "%", new String[] {"TABLE"})) {
            while (found.next()) {
                String table = found.getString("TABLE_NAME");
                if (ICEBERG_TABLES.contains(table)
                        || (table.startsWith(OWN_PREFIX) && !table.equals(SCHEMA_VERSION_TABLE))) {
                    tables.add(table);
                }
            }
        }
        Collections.sort(tables);
        return tables;
    }

    private static long writeTable(Connection connection, String table, ZipOutputStream zip)
            throws SQLException, IOException {
        List<Column> columns = Column.of(connection, table);
        // The entry is closed by the caller, and lines are separated as JSON values are
        JsonGenerator json = Json.MAPPER.createGenerator(zip).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        json.setRootValueSeparator(new SerializedString("\n"));
        ArrayNode names = Json.MAPPER.createArrayNode();
        columns.forEach(column -> names.add(column.name()));
        json.writeTree(names);
        long count = 0;
        try (Statement select = connection.createStatement()) {
            select.setFetchSize(BATCH);
            try (ResultSet rows = select.executeQuery(
                    "SELECT %s FROM %s%s".formatted(String.join(", ", names(columns)), table, ofThisCatalog(table)))) {
                for (; rows.next(); count++) {
                    ArrayNode values = Json.MAPPER.createArrayNode();
                    for (int i = 0; i < columns.size(); i++) {
                        columns.get(i).read(rows, i + 1, values);
                    }
                    json.writeTree(values);
                }
            }
        }
        json.flush();
        return count;
    }

    /** Other catalogs may share Iceberg's tables. */
    private static String ofThisCatalog(String table) {
        return ICEBERG_TABLES.contains(table) ? " WHERE catalog_name = '%s'".formatted(Database.CATALOG_NAME) : "";
    }

    private static List<String> names(List<Column> columns) {
        return columns.stream().map(Column::name).toList();
    }

    private static ObjectNode toJson(Manifest manifest) {
        ObjectNode json = Json.object()
                .put("format", FORMAT)
                .put("time", manifest.time().toString())
                .put("warehouse", manifest.warehouse());
        ObjectNode rows = json.putObject("rows");
        manifest.rows().forEach(rows::put);
        return json;
    }

    /** Opens a backup. @throws BackupException if it is cut off, damaged or no backup */
    static ZipFile open(Path file, String location) {
        try {
            ZipFile zip = new ZipFile(file.toFile());
            try {
                for (ZipEntry entry : zip.stream().toList()) {
                    check(zip, entry, location);
                }
                return zip;
            } catch (IOException | RuntimeException e) {
                zip.close();
                throw e;
            }
        } catch (IOException e) {
            throw new BackupException(
                    "%s is not a whole backup (%s): take another one with --from FILE"
                            .formatted(location, e.getMessage()),
                    e);
        }
    }

    /** {@link ZipFile} itself does not compare checksums. */
    private static void check(ZipFile zip, ZipEntry entry, String location) throws IOException {
        try (CheckedInputStream in = new CheckedInputStream(zip.getInputStream(entry), new CRC32())) {
            in.transferTo(OutputStream.nullOutputStream());
            if (in.getChecksum().getValue() != entry.getCrc()) {
                throw new BackupException(
                        "%s is damaged: the checksum of %s is wrong".formatted(location, entry.getName()));
            }
        }
    }

    /** Reads what a backup says of itself. @throws BackupException if this version cannot restore it */
    static Manifest manifest(ZipFile zip, String location) {
        try {
            ZipEntry entry = zip.getEntry(MANIFEST);
            if (entry == null) {
                throw new BackupException(location + " is not a backup of a catalog: it has no " + MANIFEST);
            }
            JsonNode json;
            try (InputStream in = zip.getInputStream(entry)) {
                json = Json.parse(in.readAllBytes());
            }
            long format = Json.number(json, "format");
            if (format != FORMAT) {
                throw new BackupException(
                        "%s has format %d, and this version of Cordwood restores format %d: use the version that made it"
                                .formatted(location, format, FORMAT));
            }
            Map<String, Long> rows = new TreeMap<>();
            json.path("rows")
                    .properties()
                    .forEach(table -> rows.put(table.getKey(), table.getValue().longValue()));
            return new Manifest(Instant.parse(Json.text(json, "time")), Json.text(json, "warehouse"), rows);
        } catch (IOException | IllegalArgumentException | DateTimeException e) {
            throw new BackupException("%s is damaged: %s".formatted(location, e.getMessage()), e);
        }
    }

    /**
     * Replaces all rows of the database.
     *
     * @throws BackupException if the backup is damaged, or has what this version's database does not
     */
    static void restore(Connection connection, ZipFile zip, Manifest manifest, String location) throws SQLException {
        List<String> tables = tables(connection);
        for (String table : tables) {
            try (Statement delete = connection.createStatement()) {
                delete.executeUpdate("DELETE FROM " + table + ofThisCatalog(table));
            }
        }
        for (Map.Entry<String, Long> table : manifest.rows().entrySet()) {
            if (!tables.contains(table.getKey())) {
                throw newer(location, "table " + table.getKey());
            }
            long restored = restoreTable(connection, table.getKey(), zip, location);
            if (restored != table.getValue()) {
                throw new BackupException("%s is damaged: it has %d of %d rows of table %s"
                        .formatted(location, restored, table.getValue(), table.getKey()));
            }
        }
    }

    private static long restoreTable(Connection connection, String table, ZipFile zip, String location)
            throws SQLException {
        ZipEntry entry = zip.getEntry(DIRECTORY + table + SUFFIX);
        if (entry == null) {
            throw new BackupException("%s is damaged: it has no table %s".formatted(location, table));
        }
        try (InputStream in = zip.getInputStream(entry);
                JsonParser lines = Json.MAPPER.createParser(in)) {
            JsonNode names = Json.MAPPER.readTree(lines);
            List<Column> columns = columns(connection, table, names, location);
            long count = 0;
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO %s (%s) VALUES (%s)"
                    .formatted(
                            table,
                            String.join(", ", names(columns)),
                            String.join(", ", Collections.nCopies(columns.size(), "?"))))) {
                for (JsonNode values = Json.MAPPER.readTree(lines);
                        values != null;
                        values = Json.MAPPER.readTree(lines)) {
                    for (int i = 0; i < columns.size(); i++) {
                        columns.get(i).write(values.path(i), insert, i + 1);
                    }
                    insert.addBatch();
                    count++;
                    if (count % BATCH == 0) {
                        insert.executeBatch();
                    }
                }
                insert.executeBatch();
            }
            return count;
        } catch (IOException e) {
            throw new BackupException("%s is damaged: %s".formatted(location, e.getMessage()), e);
        }
    }

    /** The tables of a backup, as {@link PointerStore#all} has them once it is restored. */
    static List<StoredPointer> pointers(ZipFile zip, String location) {
        ZipEntry entry = zip.getEntry(DIRECTORY + "iceberg_tables" + SUFFIX);
        if (entry == null) {
            throw new BackupException(location + " is not a backup of a catalog: it has no tables");
        }
        List<StoredPointer> pointers = new ArrayList<>();
        try (InputStream in = zip.getInputStream(entry);
                JsonParser lines = Json.MAPPER.createParser(in)) {
            List<String> names = new ArrayList<>();
            JsonNode header = Json.MAPPER.readTree(lines);
            header.forEach(name -> names.add(name.textValue()));
            for (JsonNode row = Json.MAPPER.readTree(lines); row != null; row = Json.MAPPER.readTree(lines)) {
                JsonNode type = row.path(names.indexOf("iceberg_type"));
                if (type.isNull() || type.asText().equals("TABLE")) {
                    pointers.add(new StoredPointer(
                            TableIdentifier.of(
                                    Namespace.of(row.path(names.indexOf("table_namespace"))
                                            .asText()),
                                    row.path(names.indexOf("table_name")).asText()),
                            row.path(names.indexOf("metadata_location")).asText()));
                }
            }
            return pointers;
        } catch (IOException e) {
            throw new BackupException("%s is damaged: %s".formatted(location, e.getMessage()), e);
        }
    }

    /** The columns of the backup, as the database has them. */
    private static List<Column> columns(Connection connection, String table, JsonNode names, String location)
            throws SQLException {
        List<Column> known = Column.of(connection, table);
        List<Column> columns = new ArrayList<>();
        for (JsonNode name : names) {
            columns.add(known.stream()
                    .filter(column -> column.name().equals(name.textValue()))
                    .findFirst()
                    .orElseThrow(() -> newer(location, "column %s.%s".formatted(table, name.textValue()))));
        }
        return columns;
    }

    private static BackupException newer(String location, String part) {
        return new BackupException(
                "%s has the %s, which this version of Cordwood does not know: restore it with the version that made it"
                        .formatted(location, part));
    }
}
