package io.cordwood.catalog.maintenance;

import io.cordwood.logblock.schema.LogBlockSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;

/**
 * The files that a table's current snapshot names and the store no longer has, and the rows in them. Immutable.
 *
 * @param files number of files that the snapshot names, as far as its manifests can be read
 * @param lost the files that are not there
 */
public record LostFiles(long files, List<Lost> lost) {
    /** Commits that may come in between, until what was found is of one snapshot. */
    private static final int ATTEMPTS = 10;

    /** What a file holds. */
    public enum Content {
        ROWS,
        /** Positions of deleted rows: without them, queries of the rows fail. */
        DELETES,
        /** Names of other files, and so the rows in these. */
        MANIFEST
    }

    /**
     * A file that is not there.
     *
     * @param location where it was
     * @param rows its rows; of a manifest those of the files in it; empty if that is unknown too
     * @param times the least and greatest time of its rows; empty if unknown
     * @param partitions the least and greatest Kafka partition of its rows; empty if unknown
     * @param offsets the least and greatest offset of its rows; empty if unknown
     */
    public record Lost(
            String location,
            Content content,
            Optional<Long> rows,
            Optional<Range<Instant>> times,
            Optional<Range<Integer>> partitions,
            Optional<Range<Long>> offsets) {}

    /** The least and the greatest of some values. */
    public record Range<T>(T least, T greatest) {}

    public LostFiles {
        lost = List.copyOf(lost);
    }

    /** Looks for all files of the table's current snapshot. Lists the objects of the table, and reads its manifests. */
    public static LostFiles find(Table table) {
        for (int attempt = 1; ; attempt++) {
            table.refresh();
            Snapshot snapshot = table.currentSnapshot();
            if (snapshot == null) {
                return new LostFiles(0, List.of());
            }
            LostFiles found = new Search(table, snapshot).run();
            table.refresh();
            // A merge or retention may have removed what is not there
            if (found.lost().isEmpty()
                    || snapshot.snapshotId() == table.currentSnapshot().snapshotId()
                    || attempt == ATTEMPTS) {
                return found;
            }
        }
    }

    /** One look at a snapshot. Not thread-safe. */
    private static final class Search {
        private final Table table;
        private final FileIO io;
        private final Snapshot snapshot;
        private final LocationSet present = new LocationSet();
        private final List<Lost> lost = new ArrayList<>();
        private long files;

        Search(Table table, Snapshot snapshot) {
            this.table = table;
            this.io = table.io();
            this.snapshot = snapshot;
        }

        LostFiles run() {
            for (FileInfo file : ((SupportsPrefixOperations) io).listPrefix(table.location() + "/")) {
                present.add(file.location());
            }
            List<ManifestFile> manifests;
            try {
                manifests = snapshot.allManifests(io);
            } catch (NotFoundException e) {
                return new LostFiles(
                        0,
                        List.of(lost(
                                snapshot.manifestListLocation(),
                                Content.MANIFEST,
                                Optional.ofNullable(snapshot.summary().get("total-records"))
                                        .map(Long::valueOf))));
            }
            for (ManifestFile manifest : manifests) {
                files++;
                if (isLost(manifest.path())) {
                    lost.add(lost(manifest.path(), Content.MANIFEST, rows(manifest)));
                } else {
                    read(manifest);
                }
            }
            return new LostFiles(files, lost);
        }

        private static Optional<Long> rows(ManifestFile manifest) {
            if (manifest.content() == ManifestContent.DELETES
                    || manifest.addedRowsCount() == null
                    || manifest.existingRowsCount() == null) {
                return Optional.empty();
            }
            return Optional.of(manifest.addedRowsCount() + manifest.existingRowsCount());
        }

        /** A list may lack an object that is written differently than its reference: the object itself decides. */
        private boolean isLost(String location) {
            return !present.mayContain(location) && !io.newInputFile(location).exists();
        }

        private void read(ManifestFile manifest) {
            try (ManifestReader<? extends ContentFile<?>> reader = manifest.content() == ManifestContent.DATA
                    ? ManifestFiles.read(manifest, io, table.specs())
                    : ManifestFiles.readDeleteManifest(manifest, io, table.specs())) {
                for (ContentFile<?> file : reader) {
                    files++;
                    if (isLost(file.location())) {
                        lost.add(lost(file));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot read " + manifest.path(), e);
            }
        }

        private Lost lost(ContentFile<?> file) {
            if (file instanceof DeleteFile) {
                return lost(file.location(), Content.DELETES, Optional.of(file.recordCount()));
            }
            Schema schema = table.schema();
            DataFile data = (DataFile) file;
            return new Lost(
                    file.location(),
                    Content.ROWS,
                    Optional.of(file.recordCount()),
                    range(data, schema.findField(LogBlockSchema.TS))
                            .map(micros -> new Range<>(time(micros.least()), time(micros.greatest()))),
                    LostFiles.<Number>range(data, schema.findField(LogBlockSchema.KAFKA_PARTITION))
                            .map(range -> new Range<>(
                                    range.least().intValue(), range.greatest().intValue())),
                    LostFiles.<Number>range(data, schema.findField(LogBlockSchema.KAFKA_OFFSET))
                            .map(range -> new Range<>(
                                    range.least().longValue(), range.greatest().longValue())));
        }

        private static Instant time(Object micros) {
            return Instant.EPOCH.plus((Long) micros, ChronoUnit.MICROS);
        }

        private static Lost lost(String location, Content content, Optional<Long> rows) {
            return new Lost(location, content, rows, Optional.empty(), Optional.empty(), Optional.empty());
        }
    }

    private static <T> Optional<Range<T>> range(DataFile file, Types.NestedField field) {
        Map<Integer, ByteBuffer> lower = file.lowerBounds();
        Map<Integer, ByteBuffer> upper = file.upperBounds();
        if (field == null
                || lower == null
                || upper == null
                || !lower.containsKey(field.fieldId())
                || !upper.containsKey(field.fieldId())) {
            return Optional.empty();
        }
        return Optional.of(new Range<>(
                Conversions.fromByteBuffer(field.type(), lower.get(field.fieldId())),
                Conversions.fromByteBuffer(field.type(), upper.get(field.fieldId()))));
    }
}
