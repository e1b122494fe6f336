package io.cordwood.catalog.server.table;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableMetadataParser.Codec;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileIO;

/**
 * The metadata files of tables, of which those read lately stay parsed. That needs no invalidation, because no file
 * changes and no location is used twice. Whether it is still there is asked each time. Thread-safe.
 *
 * <p>Whoever reads the manifests of a snapshot must do so on a copy: the snapshot would keep them.
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
        TableMetadata table = TableMetadataParser.fromJson(location, new String(json, StandardCharsets.UTF_8));
        if (json.length <= LARGEST_KEPT) {
            kept.put(location, new Kept(table, BYTES_PER_JSON_BYTE * json.length));
        }
        return table;
    }

    /** Makes room for others, after a commit that replaced this file. */
    void replaced(String location) {
        kept.invalidate(location);
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
