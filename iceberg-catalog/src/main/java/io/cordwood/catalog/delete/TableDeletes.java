package io.cordwood.catalog.delete;

import io.cordwood.logblock.schema.Column;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.util.ContentFileUtil;
import org.apache.iceberg.util.StructLikeWrapper;

/**
 * The delete files of a snapshot, indexed by the data files that they apply to, by the rules of Iceberg's
 * specification. For planners that read manifests themselves; Iceberg's own scans have {@code FileScanTask.deletes()}.
 * Immutable, thread-safe.
 */
public final class TableDeletes {
    /** There is no delete file. */
    public static final TableDeletes NONE = new TableDeletes(Map.of(), Map.of(), Map.of(), Map.of());

    private final Map<Integer, Column> columns;
    private final Map<Integer, PartitionSpec> specs;
    private final Map<String, List<DeleteFile>> byDataFile;
    private final Map<PartitionKey, List<DeleteFile>> byPartition;

    private record PartitionKey(int specId, StructLikeWrapper partition) {}

    private TableDeletes(
            Map<Integer, Column> columns,
            Map<Integer, PartitionSpec> specs,
            Map<String, List<DeleteFile>> byDataFile,
            Map<PartitionKey, List<DeleteFile>> byPartition) {
        this.columns = columns;
        this.specs = specs;
        this.byDataFile = byDataFile;
        this.byPartition = byPartition;
    }

    /**
     * The live delete files of a snapshot.
     *
     * @param columns present and former columns of the table, by field id
     * @param specs the table's partition specs by id
     * @throws UnreadableDeletesException if one is of an unsupported kind
     */
    public static TableDeletes of(
            Collection<DeleteFile> files, Map<Integer, Column> columns, Map<Integer, PartitionSpec> specs) {
        if (files.isEmpty()) {
            return NONE;
        }
        Map<String, List<DeleteFile>> byDataFile = new HashMap<>();
        Map<PartitionKey, List<DeleteFile>> byPartition = new HashMap<>();
        for (DeleteFile file : files) {
            // Refused here, not when a scan happens to need the file: a table's content must not depend on pruning
            RowDeleteFile.of(file, columns);
            String dataFile = ContentFileUtil.referencedDataFileLocation(file);
            if (dataFile != null) {
                byDataFile.computeIfAbsent(dataFile, any -> new ArrayList<>()).add(file);
            } else {
                byPartition
                        .computeIfAbsent(partition(file, specs), any -> new ArrayList<>())
                        .add(file);
            }
        }
        return new TableDeletes(Map.copyOf(columns), Map.copyOf(specs), byDataFile, byPartition);
    }

    private static PartitionKey partition(ContentFile<?> file, Map<Integer, PartitionSpec> specs) {
        return new PartitionKey(
                file.specId(),
                StructLikeWrapper.forType(specs.get(file.specId()).partitionType())
                        .set(file.partition()));
    }

    public boolean isEmpty() {
        return byDataFile.isEmpty() && byPartition.isEmpty();
    }

    /** The delete files that apply to a data file in a manifest. */
    public List<RowDeleteFile> of(DataFile file) {
        if (isEmpty()) {
            return List.of();
        }
        List<DeleteFile> ofFile = byDataFile.getOrDefault(file.location(), List.of()).stream()
                .filter(delete -> applies(delete, file))
                .filter(delete -> samePartition(delete, file))
                .toList();
        List<DeleteFile> vectors = ofFile.stream().filter(ContentFileUtil::isDV).toList();
        List<DeleteFile> found = new ArrayList<>(vectors.isEmpty() ? ofFile : vectors);
        // A deletion vector includes the earlier position deletes
        byPartition.getOrDefault(partition(file, specs), List.of()).stream()
                .filter(delete -> applies(delete, file))
                .filter(delete -> vectors.isEmpty() || isByValues(delete))
                .forEach(found::add);
        byPartition.forEach((key, deletes) -> {
            if (specs.get(key.specId()).isUnpartitioned() && key.specId() != file.specId()) {
                deletes.stream()
                        .filter(delete -> isByValues(delete) && applies(delete, file))
                        .forEach(found::add);
            }
        });
        return found.stream().map(delete -> RowDeleteFile.of(delete, columns)).toList();
    }

    /** Position deletes may be of the same commit as the data; deletes by values apply to earlier rows only. */
    private static boolean applies(DeleteFile delete, DataFile file) {
        return isByValues(delete)
                ? delete.dataSequenceNumber() > file.dataSequenceNumber()
                : delete.dataSequenceNumber() >= file.dataSequenceNumber();
    }

    private static boolean isByValues(DeleteFile delete) {
        return delete.content() == FileContent.EQUALITY_DELETES;
    }

    private boolean samePartition(DeleteFile delete, DataFile file) {
        return delete.content() == FileContent.POSITION_DELETES
                && Objects.equals(partition(delete, specs), partition(file, specs));
    }
}
