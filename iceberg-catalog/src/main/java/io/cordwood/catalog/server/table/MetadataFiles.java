package io.cordwood.catalog.server.table;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotParser;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableMetadataParser.Codec;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.OutputFile;

/**
 * The metadata files of tables, of which those read or written lately stay parsed. That needs no invalidation, because
 * no file changes and no location is used twice. Whether it is still there is asked at each read. Thread-safe.
 *
 * <p>Whoever reads the manifests of a snapshot must do so on a {@linkplain #copy copy}: the snapshot would keep them.
 */
public final class MetadataFiles {
    /** Bound of the memory of all kept files. */
    private static final long KEPT_BYTES = 48L << 20;
    /** Files with more JSON are not kept: clients may put large properties into each of many versions. */
    private static final int LARGEST_KEPT = 1 << 20;
    /** Memory of parsed metadata for each byte of JSON, at most. */
    private static final int BYTES_PER_JSON_BYTE = 4;

    private final FileIO io;
    private final Cache<String, Kept> kept = Caffeine.newBuilder()
            .maximumWeight(KEPT_BYTES)
            .weigher((String location, Kept file) -> file.bytes())
            .build();

    private record Kept(TableMetadata table, int bytes) {}

    /** Compresses at the lowest level: most of these files are replaced within the hour. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    MetadataFiles(FileIO io) {
        this.io = io;
    }

    FileIO io() {
        return io;
    }

    /**
     * The metadata in a file.
     *
     * @throws NotFoundException if there is no such file
     * @throws UncheckedIOException if it cannot be read
     */
    TableMetadata read(String location) {
        Kept known = kept.getIfPresent(location);
        if (known != null) {
            if (io.newInputFile(location).exists()) {
                return known.table();
            }
            kept.invalidate(location);
        }
        byte[] json = json(io, location);
        TableMetadata table = parse(location, json);
        keep(table, json);
        return table;
    }

    private static TableMetadata parse(String location, byte[] json) {
        return TableMetadataParser.fromJson(location, new String(json, StandardCharsets.UTF_8));
    }

    /**
     * Writes a metadata file.
     *
     * @param changed metadata without a file
     * @return the metadata as the file has it, with the file's location
     * @throws UncheckedIOException if it cannot be written
     */
    TableMetadata write(String location, TableMetadata changed) {
        String text = TableMetadataParser.toJson(changed);
        byte[] json = text.getBytes(StandardCharsets.UTF_8);
        OutputFile file = io.newOutputFile(location);
        try (OutputStream created = file.createOrOverwrite();
                OutputStream out = Codec.fromFileName(location) == Codec.GZIP ? new FastGzip(created) : created) {
            out.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + location, e);
        }
        TableMetadata table = isUnicode(text, json)
                ? TableMetadata.buildFrom(changed)
                        .discardChanges()
                        .withMetadataLocation(file.location())
                        .build()
                : parse(file.location(), json);
        keep(table, json);
        return table;
    }

    /** Whether no half of a surrogate pair, which a client may send, became a question mark. */
    private static boolean isUnicode(String text, byte[] encoded) {
        return new String(encoded, StandardCharsets.UTF_8).equals(text);
    }

    private void keep(TableMetadata table, byte[] json) {
        if (json.length <= LARGEST_KEPT) {
            kept.put(table.metadataFileLocation(), new Kept(table, BYTES_PER_JSON_BYTE * json.length));
        }
    }

    /** Makes room for others, as the file is no longer, or never was, the current one of its table. */
    void forget(String location) {
        kept.invalidate(location);
    }

    /**
     * A copy of a snapshot, whose manifests may be read: a table's own snapshot would keep them, beside the bound of
     * the memory.
     */
    static Snapshot copy(Snapshot snapshot) {
        return SnapshotParser.fromJson(SnapshotParser.toJson(snapshot));
    }

    /**
     * The JSON in a metadata file.
     *
     * @throws NotFoundException if there is no such file
     * @throws UncheckedIOException if it cannot be read
     */
    public static byte[] json(FileIO io, String location) {
        try (InputStream file = io.newInputFile(location).newStream();
                InputStream json = Codec.fromFileName(location) == Codec.GZIP ? new GZIPInputStream(file) : file) {
            return json.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + location, e);
        }
    }
}
