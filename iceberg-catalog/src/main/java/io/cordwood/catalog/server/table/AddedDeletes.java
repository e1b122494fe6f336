package io.cordwood.catalog.server.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.io.FileIO;

/**
 * Checks that a snapshot adds delete files to the current one, and changes nothing else. Manifests may be merged, so
 * the files in those that went and in those that came are compared. Not thread-safe.
 */
final class AddedDeletes {
    private final TableMetadata base;
    private final FileIO io;

    AddedDeletes(TableMetadata base, FileIO io) {
        this.base = base;
        this.io = io;
    }

    /** A file of the table, as far as it decides which rows there are. */
    private record Entry(
            String location,
            FileContent content,
            long dataSequence,
            Long fileSequence,
            int spec,
            String partition,
            long rows,
            long bytes) {}

    /**
     * Checks the snapshot.
     *
     * @throws ForbiddenException if it does more than add delete files
     * @throws ValidationException if a file does not lie below the table's own location, or cannot be read
     */
    void check(Snapshot added) {
        OwnFiles files = new OwnFiles(base, io);
        files.checkSnapshot(added);
        Map<String, ManifestFile> gone = byLocation(files.currentManifests());
        long oldestData = gone.values().stream()
                .filter(manifest -> manifest.content() == ManifestContent.DATA)
                .mapToLong(ManifestFile::minSequenceNumber)
                .min()
                .orElse(0);
        // Of a copy: the snapshot becomes one of the table's, and would keep its manifests
        Map<String, ManifestFile> come = byLocation(MetadataFiles.copy(added).allManifests(io));
        for (String location : List.copyOf(come.keySet())) {
            if (gone.containsKey(location)) {
                require(same(gone.remove(location), come.remove(location)), "describes manifest %s anew", location);
            }
        }
        checkData(entries(gone, ManifestContent.DATA), entries(come, ManifestContent.DATA));
        Set<Entry> deletesBefore = entries(gone, ManifestContent.DELETES);
        Set<Entry> deletesAfter = entries(come, ManifestContent.DELETES);
        Set<String> dropped = new HashSet<>();
        for (Entry before : deletesBefore) {
            if (!deletesAfter.remove(before)) {
                // Iceberg drops deletes that are older than all rows
                require(before.dataSequence() < oldestData, "drops the deletes in %s", before.location());
                dropped.add(before.location());
            }
        }
        for (Entry after : deletesAfter) {
            boolean isNew =
                    after.content() == FileContent.POSITION_DELETES && after.dataSequence() == added.sequenceNumber();
            require(isNew, "adds %s, which has no deletes by position", after.location());
        }
        // Expiry deletes the files of such entries, whatever else refers to them
        files.removed().forEach(location -> require(dropped.contains(location), "removes %s", location));
    }

    private static void checkData(Set<Entry> before, Set<Entry> after) {
        for (Entry entry : before) {
            require(after.remove(entry), "removes or changes data file %s", entry.location());
        }
        after.forEach(entry -> require(false, "adds data file %s", entry.location()));
    }

    private static void require(boolean allowed, String problem, String location) {
        if (!allowed) {
            throw new ForbiddenException(
                    "The query service commits deletes only, and this %s", problem.formatted(location));
        }
    }

    private static Map<String, ManifestFile> byLocation(Collection<ManifestFile> manifests) {
        Map<String, ManifestFile> found = new HashMap<>();
        for (ManifestFile manifest : manifests) {
            require(found.put(manifest.path(), manifest) == null, "names manifest %s twice", manifest.path());
        }
        return found;
    }

    private static boolean same(ManifestFile one, ManifestFile other) {
        return describe(one).equals(describe(other)) && bounds(one).equals(bounds(other));
    }

    private static List<Object> describe(ManifestFile manifest) {
        return List.of(
                manifest.length(),
                manifest.partitionSpecId(),
                manifest.content(),
                manifest.sequenceNumber(),
                manifest.minSequenceNumber(),
                manifest.snapshotId(),
                String.valueOf(manifest.addedFilesCount()),
                String.valueOf(manifest.existingFilesCount()),
                String.valueOf(manifest.deletedFilesCount()));
    }

    /** The range of each field of partitions, by which readers leave manifests out. */
    private static List<Range> bounds(ManifestFile manifest) {
        return manifest.partitions() == null
                ? List.of()
                : manifest.partitions().stream()
                        .map(field -> new Range(field.containsNull(), field.lowerBound(), field.upperBound()))
                        .toList();
    }

    private record Range(boolean containsNull, ByteBuffer lower, ByteBuffer upper) {}

    private Set<Entry> entries(Map<String, ManifestFile> manifests, ManifestContent content) {
        Set<Entry> entries = new HashSet<>();
        for (ManifestFile manifest : manifests.values()) {
            if (manifest.content() == content) {
                try (ManifestReader<? extends ContentFile<?>> files = open(manifest)) {
                    for (ContentFile<?> file : files) {
                        require(entries.add(entry(file)), "names file %s twice", file.location());
                    }
                } catch (IOException | UncheckedIOException e) {
                    throw new ValidationException(e, "%s cannot be read", manifest.path());
                }
            }
        }
        return entries;
    }

    private ManifestReader<? extends ContentFile<?>> open(ManifestFile manifest) {
        return manifest.content() == ManifestContent.DATA
                ? ManifestFiles.read(manifest, io, base.specsById())
                : ManifestFiles.readDeleteManifest(manifest, io, base.specsById());
    }

    private static Entry entry(ContentFile<?> file) {
        return new Entry(
                file.location(),
                file.content(),
                file.dataSequenceNumber() == null ? 0 : file.dataSequenceNumber(),
                file.fileSequenceNumber(),
                file.specId(),
                file.partition().toString(),
                file.recordCount(),
                file.fileSizeInBytes());
    }
}
