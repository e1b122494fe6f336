package io.cordwood.catalog.maintenance;

import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.io.FileIO;

/**
 * Finds manifests that still have entries of data files which a table no longer has. Until a manifest is rewritten, the
 * entry of a removed file keeps the smallest and largest values of the file. Stateless.
 *
 * <p>Reads plain Avro, by the names of Iceberg's specification, as Iceberg's API returns only live files.
 */
final class RemovedFileManifests {
    /** Status of an entry whose file was removed. */
    private static final int DELETED = 2;

    private RemovedFileManifests() {}

    /** Locations of the manifests of these snapshots with an entry of one of the data files as removed. */
    static Set<String> of(FileIO io, Iterable<Snapshot> snapshots, Collection<String> dataFiles) throws IOException {
        Set<String> removed = new HashSet<>(dataFiles);
        Set<String> checked = new HashSet<>();
        Set<String> manifests = new HashSet<>();
        for (Snapshot snapshot : snapshots) {
            for (ManifestFile manifest : snapshot.dataManifests(io)) {
                if (manifest.hasDeletedFiles()
                        && checked.add(manifest.path())
                        && refersTo(io, manifest.path(), removed)) {
                    manifests.add(manifest.path());
                }
            }
        }
        return manifests;
    }

    private static boolean refersTo(FileIO io, String manifest, Set<String> dataFiles) throws IOException {
        try (InputStream in = io.newInputFile(manifest).newStream();
                DataFileStream<GenericRecord> entries = new DataFileStream<>(in, new GenericDatumReader<>())) {
            for (GenericRecord entry : entries) {
                GenericRecord dataFile = (GenericRecord) entry.get("data_file");
                if ((int) entry.get("status") == DELETED
                        && dataFiles.contains(dataFile.get("file_path").toString())) {
                    return true;
                }
            }
            return false;
        }
    }
}
