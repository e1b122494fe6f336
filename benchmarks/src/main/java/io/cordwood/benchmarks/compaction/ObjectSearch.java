package io.cordwood.benchmarks.compaction;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/**
 * Searches all objects of a warehouse for a text, both in their raw bytes and in their decompressed contents. DuckDB
 * reads LogBlocks and delete files, so that the result does not depend on Cordwood's own readers. Stateless.
 */
final class ObjectSearch {
    /**
     * The result of a search.
     *
     * @param searched number of searched objects
     * @param withText the objects that contain the text
     */
    record Found(int searched, List<Path> withText) {}

    private ObjectSearch() {}

    /** Searches every file below a directory; no file may be deleted meanwhile. */
    static Found of(Path directory, String text) throws IOException, SQLException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(directory)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        List<Path> withText = new ArrayList<>();
        try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:")) {
            for (Path file : files) {
                if (holds(file, text, duckDb)) {
                    withText.add(file);
                }
            }
        }
        return new Found(files.size(), withText);
    }

    private static boolean holds(Path file, String text, Connection duckDb) throws IOException, SQLException {
        byte[] bytes = Files.readAllBytes(file);
        String name = file.getFileName().toString();
        if (contains(bytes, text)) {
            return true;
        }
        if (name.endsWith(".parquet")) {
            return rowHolds(file, text, duckDb);
        }
        if (name.endsWith(".avro")) {
            return recordHolds(file, text);
        }
        if (name.contains(".gz.")) {
            try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
                return contains(in.readAllBytes(), text);
            }
        }
        return false;
    }

    private static boolean contains(byte[] bytes, String text) {
        // One byte per character, so that offsets do not matter
        return new String(bytes, ISO_8859_1).contains(new String(text.getBytes(UTF_8), ISO_8859_1));
    }

    private static boolean rowHolds(Path file, String text, Connection duckDb) throws SQLException {
        try (PreparedStatement select = duckDb.prepareStatement(
                "SELECT count(*) FROM read_parquet(?) AS rows WHERE contains(CAST(rows AS VARCHAR), ?)")) {
            select.setString(1, file.toString());
            select.setString(2, text);
            try (ResultSet result = select.executeQuery()) {
                result.next();
                return result.getLong(1) > 0;
            }
        }
    }

    private static boolean recordHolds(Path file, String text) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                DataFileStream<GenericRecord> records = new DataFileStream<>(in, new GenericDatumReader<>())) {
            for (GenericRecord each : records) {
                if (each.toString().contains(text)) {
                    return true;
                }
            }
        }
        return false;
    }
}
