package io.cordwood.catalog.maintenance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;

/** All files that the metadata of a table refers to, by any of its present snapshots. Stateless. */
final class ReferredFiles {
    private static final List<String> LOCATION = List.of("file_path");

    private ReferredFiles() {}

    /** Reads each manifest list and each manifest once. */
    static LocationSet of(TableMetadata table, FileIO io) {
        LocationSet referred = new LocationSet();
        referred.add(table.metadataFileLocation());
        table.previousFiles().forEach(entry -> referred.add(entry.file()));
        table.statisticsFiles().forEach(file -> referred.add(file.path()));
        table.partitionStatisticsFiles().forEach(file -> referred.add(file.path()));
        Set<String> manifestsRead = new HashSet<>();
        for (Snapshot snapshot : table.snapshots()) {
            if (snapshot.manifestListLocation() != null) {
                referred.add(snapshot.manifestListLocation());
            }
            for (ManifestFile manifest : snapshot.allManifests(io)) {
                if (manifestsRead.add(manifest.path())) {
                    referred.add(manifest.path());
                    addFiles(referred, manifest, io, table.specsById());
                }
            }
        }
        return referred;
    }

    private static void addFiles(
            LocationSet referred, ManifestFile manifest, FileIO io, Map<Integer, PartitionSpec> specs) {
        if (manifest.content() == ManifestContent.DATA) {
            addFiles(referred, ManifestFiles.read(manifest, io, specs));
        } else {
            addFiles(referred, ManifestFiles.readDeleteManifest(manifest, io, specs));
        }
    }

    private static <F extends ContentFile<F>> void addFiles(LocationSet referred, ManifestReader<F> reader) {
        try (ManifestReader<F> files = reader.select(LOCATION)) {
            for (F file : files) {
                referred.add(file.location());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
