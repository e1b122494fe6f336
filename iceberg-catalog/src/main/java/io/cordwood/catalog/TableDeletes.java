package io.cordwood.catalog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.util.ContentFileUtil;
import org.apache.iceberg.util.StructLikeWrapper;

/**
 * The delete files of a snapshot, found by the data files that they apply to, by the rules of Iceberg's specification. For
 * those who plan scans from manifests themselves; Iceberg's own scans tell by {@code FileScanTask.deletes()}. Immutable,
 * thread-safe.
 */
public final class TableDeletes {
    /** There is no delete file. */
    public static final TableDeletes NONE = new TableDeletes(Map.of(), Map.of(), Map.of());

    private final Map<Integer, PartitionSpec> specs;
    private final Map<String, List<DeleteFile>> byDataFile;
    private final Map<PartitionKey, List<DeleteFile>> byPartition;

    private record PartitionKey(int specId, StructLikeWrapper partition) {}

    private TableDeletes(
            Map<Integer, PartitionSpec> specs,
            Map<String, List<DeleteFile>> byDataFile,
            Map<PartitionKey, List<DeleteFile>> byPartition) {
        this.specs = specs;
        this.byDataFile = byDataFile;
        this.byPartition = byPartition;
    }

    /**
     * The live delete files of a snapshot.
     *
     * @param specs the table's partition specs by id
     * @throws UnreadableDeletesException if one is of a kind that is not read here
     */
    public static TableDeletes of(Collection<DeleteFile> files, Map<Integer, PartitionSpec> specs) {
        if (files.isEmpty()) {
            return NONE;
        }
        Map<String, List<DeleteFile>> byDataFile = new HashMap<>();
        Map<PartitionKey, List<DeleteFile>> byPartition = new HashMap<>();
        for (DeleteFile file : files) {
            // Refused here, and not where a scan happens to need the file: what a table shows must not depend on
            // pruning
            PositionDeleteFile.of(file);
            String dataFile = ContentFileUtil.referencedDataFileLocation(file);
            if (dataFile != null) {
                byDataFile.computeIfAbsent(dataFile, any -> new ArrayList<>()).add(file);
            } else {
                byPartition
                        .computeIfAbsent(partition(file, specs), any -> new ArrayList<>())
                        .add(file);
            }
        }
        return new TableDeletes(Map.copyOf(specs), byDataFile, byPartition);
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

    /** The delete files that apply to a data file, as the manifest lists it. */
    public List<PositionDeleteFile> of(DataFile file) {
        if (isEmpty()) {
            return List.of();
        }
        Predicate<DeleteFile> applies = delete -> delete.dataSequenceNumber() >= file.dataSequenceNumber();
        List<DeleteFile> ofFile = byDataFile.getOrDefault(file.location(), List.of()).stream()
                .filter(applies)
                .filter(delete -> samePartition(delete, file))
                .toList();
        List<DeleteFile> vectors = ofFile.stream().filter(ContentFileUtil::isDV).toList();
        List<DeleteFile> found = new ArrayList<>(vectors);
        if (vectors.isEmpty()) {
            // A deletion vector holds what position deletes said before it
            found.addAll(ofFile);
            byPartition.getOrDefault(partition(file, specs), List.of()).stream()
                    .filter(applies)
                    .forEach(found::add);
        }
        return found.stream().map(PositionDeleteFile::of).toList();
    }

    private boolean samePartition(DeleteFile delete, DataFile file) {
        return delete.content() == FileContent.POSITION_DELETES
                && Objects.equals(partition(delete, specs), partition(file, specs));
    }
}
