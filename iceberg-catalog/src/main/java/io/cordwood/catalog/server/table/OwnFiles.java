package io.cordwood.catalog.server.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.InternalData;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.types.Types;

/**
 * Checks that files lie below the location of a table. Not thread-safe.
 *
 * <p>Manifests are read as Avro, and only the paths in them: also those of entries that a commit removes, since expiry
 * deletes these files.
 */
final class OwnFiles {
    /** Twice the size at which Iceberg's clients begin another manifest. */
    private static final long MAX_MANIFEST_BYTES = 16 << 20;
    /** Entries of all manifests that one commit adds. A small file can unpack to many. */
    private static final int MAX_ENTRIES = 100_000;

    /** More than the stores allow for a key. */
    private static final int MAX_LOCATION_CHARACTERS = 2048;
    /** Of all locations that one commit adds, which are kept until it is checked. */
    private static final int MAX_CHARACTERS = 32 << 20;
    /** Of a location in a message. */
    private static final int SHOWN_CHARACTERS = 200;
    /** Each takes the memory of an unpacked block, which is small in honest files only. */
    private static final Semaphore CHECKS = new Semaphore(2, true);

    private static final Schema MANIFEST_LIST = new Schema(ManifestFile.PATH);
    private static final Schema MANIFEST = new Schema(
            Types.NestedField.required(0, "status", Types.IntegerType.get()),
            Types.NestedField.required(
                    2,
                    "data_file",
                    Types.StructType.of(Types.NestedField.required(100, "file_path", Types.StringType.get()))));
    private static final int REMOVED = 2;

    private static final Pattern SEPARATORS = Pattern.compile("/|\\\\|%2f|%5c", Pattern.CASE_INSENSITIVE);
    private static final Pattern DOTS = Pattern.compile("(\\.|%2e){1,2}", Pattern.CASE_INSENSITIVE);

    private final TableMetadata base;
    /** A copy: the table's metadata is shared, and its snapshot would keep the manifests that were read. */
    private final Optional<Snapshot> current;

    private final FileIO io;
    private final List<String> removed = new ArrayList<>();
    private int entries;
    private long characters;

    OwnFiles(TableMetadata base, FileIO io) {
        this.base = base;
        this.current = Optional.ofNullable(base.currentSnapshot()).map(MetadataFiles::copy);
        this.io = io;
    }

    /** Checks a snapshot with its manifests, except those that the table has now. */
    void checkSnapshot(Snapshot snapshot) {
        CHECKS.acquireUninterruptibly();
        try {
            readSnapshot(snapshot);
        } finally {
            CHECKS.release();
        }
    }

    /** The manifests that the table has now, which are read once. */
    List<ManifestFile> currentManifests() {
        return current.map(snapshot -> snapshot.allManifests(io)).orElse(List.of());
    }

    private void readSnapshot(Snapshot snapshot) {
        if (snapshot.manifestListLocation() == null) {
            throw new ValidationException("Snapshot %d has no manifest list", snapshot.snapshotId());
        }
        check("manifest list", snapshot.manifestListLocation());
        Set<String> known = new HashSet<>();
        currentManifests().forEach(manifest -> known.add(manifest.path()));
        List<String> added = new ArrayList<>();
        read(snapshot.manifestListLocation(), MANIFEST_LIST, row -> {
            String manifest = row.get(0, String.class);
            if (!known.contains(manifest)) {
                checkManifest(manifest);
                added.add(manifest);
            }
        });
        for (String manifest : added) {
            read(
                    manifest,
                    MANIFEST,
                    row -> checkEntry(
                            row.get(0, Integer.class),
                            row.get(1, StructLike.class).get(0, String.class)));
        }
    }

    private void checkEntry(int status, String location) {
        checkAdded("file", location);
        if (status == REMOVED) {
            removed.add(location);
        }
    }

    /** The files that the checked manifests say to be removed. */
    List<String> removed() {
        return List.copyOf(removed);
    }

    private void checkManifest(String manifest) {
        checkAdded("manifest", manifest);
        // Readers choose the format by the name, and this check reads Avro
        if (!manifest.endsWith(".avro")) {
            throw new ValidationException("The name of manifest '%s' does not end with .avro", manifest);
        }
    }

    private void checkAdded(String what, String location) {
        check(what, location);
        characters += location.length();
        if (characters > MAX_CHARACTERS) {
            throw new ValidationException(
                    "The commit adds locations of more than %d characters: commit less at once", MAX_CHARACTERS);
        }
    }

    /** Receives the rows of a file. */
    @FunctionalInterface
    private interface Rows {
        void accept(StructLike row);
    }

    private void read(String location, Schema schema, Rows rows) {
        try {
            InputFile file = io.newInputFile(location);
            if (file.getLength() > MAX_MANIFEST_BYTES) {
                throw new ValidationException(
                        "%s is larger than %d bytes: write more manifests", location, MAX_MANIFEST_BYTES);
            }
            CloseableIterable<StructLike> read =
                    InternalData.read(FileFormat.AVRO, file).project(schema).build();
            try (read) {
                for (StructLike row : read) {
                    if (++entries > MAX_ENTRIES) {
                        throw new ValidationException(
                                "The commit adds more than %d entries of manifests: commit less at once", MAX_ENTRIES);
                    }
                    rows.accept(row);
                }
            }
        } catch (NotFoundException | UncheckedIOException | IOException e) {
            throw new ValidationException(e, "%s cannot be read", location);
        }
    }

    /** @throws ValidationException unless the file lies below the location of the table */
    void check(String what, String location) {
        if (location.length() > MAX_LOCATION_CHARACTERS) {
            throw new ValidationException(
                    "The location of a %s is longer than %d characters: '%s..'",
                    what, MAX_LOCATION_CHARACTERS, location.substring(0, SHOWN_CHARACTERS));
        }
        String own = base.location().replaceFirst("/+$", "") + "/";
        boolean within = location.startsWith(own)
                && location.codePoints().noneMatch(Character::isISOControl)
                && Arrays.stream(SEPARATORS.split(location.substring(own.length()), -1))
                        .noneMatch(segment ->
                                segment.isEmpty() || DOTS.matcher(segment).matches());
        if (!within) {
            throw new ValidationException(
                    "The %s '%s' does not lie below the table's location %s", what, location, own);
        }
    }
}
