package io.cordwood.catalog.server;

import java.io.IOException;
import java.util.List;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.InternalData;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.FileAppender;

/** Commits that no engine makes. */
final class ForgedSnapshots {
    private ForgedSnapshots() {}

    /** Writes a manifest list with one manifest, and returns its location. */
    static String manifestList(Table table, String location, ManifestFile manifest) throws IOException {
        return manifestList(table, location, List.of(manifest));
    }

    /** Writes a manifest list, and returns its location. */
    static String manifestList(Table table, String location, List<ManifestFile> manifests) throws IOException {
        try (FileAppender<StructLike> list = InternalData.write(
                        FileFormat.AVRO, table.io().newOutputFile(location))
                .schema(ManifestFile.schema())
                .named("manifest_file")
                .build()) {
            manifests.forEach(manifest -> list.add((StructLike) manifest));
        }
        return location;
    }

    /** A commit of a snapshot with this manifest list, after another. */
    static String commit(String tableUuid, String manifestList, long parent, int sequence) {
        return commit(tableUuid, manifestList)
                .replace(
                        "\"sequence-number\":1",
                        "\"parent-snapshot-id\":%d,\"sequence-number\":%d".formatted(parent, sequence));
    }

    /** A commit of a snapshot with this manifest list. */
    static String commit(String tableUuid, String manifestList) {
        return """
                {"requirements":[{"type":"assert-table-uuid","uuid":"%s"}],
                 "updates":[{"action":"add-snapshot","snapshot":{"snapshot-id":7,"sequence-number":1,
                  "timestamp-ms":%d,"manifest-list":"%s","summary":{"operation":"delete"},"schema-id":0}},
                  {"action":"set-snapshot-ref","ref-name":"main","type":"branch","snapshot-id":7}]}""".formatted(tableUuid, System.currentTimeMillis() + 1000, manifestList);
    }
}
