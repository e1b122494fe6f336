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
 * Finds the manifests that still tell of data files which a table no longer has. A manifest keeps an entry of a removed
 * file, and with it the smallest and largest values that the file held, until it is written anew. Stateless.
 *
 * <p>Read as plain Avro, by the names of Iceberg's specification: its API shows live files alone.
 */
final class RemovedFileManifests {
    /** Status of an entry whose file was removed. */
    private static final int DELETED = 2;

    private RemovedFileManifests() {}

    /** Locations of the manifests of some snapshots that mention one of these data files as removed. */
    static Set<String> of(FileIO io, Iterable<Snapshot> snapshots, Collection<String> dataFiles) throws IOException {
        Set<String> wanted = new HashSet<>(dataFiles);
        Set<String> looked = new HashSet<>();
        Set<String> mentions = new HashSet<>();
        for (Snapshot snapshot : snapshots) {
            for (ManifestFile manifest : snapshot.dataManifests(io)) {
                if (manifest.hasDeletedFiles()
                        && looked.add(manifest.path())
                        && mentions(io, manifest.path(), wanted)) {
                    mentions.add(manifest.path());
                }
            }
        }
        return mentions;
    }

    private static boolean mentions(FileIO io, String manifest, Set<String> dataFiles) throws IOException {
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
