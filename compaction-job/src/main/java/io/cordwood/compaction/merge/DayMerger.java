package io.cordwood.compaction.merge;

import static java.util.Objects.requireNonNull;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.commit.Rewrite;
import io.cordwood.catalog.commit.RewriteCommitter;
import io.cordwood.catalog.commit.RewriteCommitter.Outcome;
import io.cordwood.catalog.delete.DeletedRows;
import io.cordwood.catalog.io.InputFileReader;
import io.cordwood.catalog.table.LogBlockFile;
import io.cordwood.catalog.table.LogBlockNames;
import io.cordwood.catalog.table.TableSchemas;
import io.cordwood.catalog.tenant.TenantNames;
import io.cordwood.compaction.plan.LogBlockEntry;
import io.cordwood.logblock.io.ReadMetrics;
import io.cordwood.logblock.merge.LogBlockMerge;
import io.cordwood.logblock.merge.MergeInput;
import io.cordwood.logblock.scan.LogBlock;
import io.cordwood.logblock.schema.LogBlockOptions;
import io.cordwood.logblock.schema.LogBlockSchema;
import io.cordwood.logblock.write.LogBlockWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.io.FileIO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges LogBlocks of one day. It takes their rows in time order, leaves out deleted ones, writes LogBlocks of even
 * size with index and statistics, and commits these in place of the old ones. Thread-safe.
 *
 * <p>The row group being written, the index of one LogBlock, and the indexes that are copied from bound the memory, not
 * the size of the merge.
 */
public final class DayMerger {
    private static final Logger LOG = LoggerFactory.getLogger(DayMerger.class);

    private final CatalogClient catalog;
    private final RewriteCommitter committer;
    private final LogBlockOptions options;
    private final LogBlockOptions dense;
    private final boolean copiesText;

    /**
     * @param options how LogBlocks are written; the dense layout has its own size of pages of text
     * @param copiesText whether text is copied where it can be
     */
    public DayMerger(CatalogClient catalog, LogBlockOptions options, boolean copiesText) {
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.committer = new RewriteCommitter(catalog.catalog());
        this.options = options;
        this.dense =
                LogBlockOptions.DENSE.withZstdLevel(Math.max(options.zstdLevel(), LogBlockOptions.DENSE.zstdLevel()));
        this.copiesText = copiesText;
    }

    /**
     * Merges LogBlocks of a day, or rewrites one without its deleted rows.
     *
     * @param locations LogBlocks of that day; if the table no longer has one of them, nothing is merged
     * @param outputs number of LogBlocks to write
     * @param isDense whether they get the dense layout; they also do if all inputs have it
     * @throws IOException if a LogBlock cannot be read or written; the table is unchanged
     * @throws io.cordwood.catalog.commit.TableCommitException if the table cannot be committed to
     * @throws InterruptedException if interrupted
     */
    public MergeResult merge(
            String tenantId, String stream, int epochDay, Set<String> locations, int outputs, boolean isDense)
            throws IOException, InterruptedException {
        Table table;
        try {
            table = catalog.catalog().loadTable(TenantNames.table(tenantId, stream));
        } catch (NoSuchTableException e) {
            return MergeResult.VOID;
        }
        if (table.currentSnapshot() == null) {
            return MergeResult.VOID;
        }
        TableDay day = TableDay.of(table, epochDay);
        List<FileScanTask> tasks = day.logBlocks().stream()
                .filter(task -> locations.contains(task.file().location()))
                .toList();
        if (tasks.size() != locations.size()) {
            return MergeResult.VOID;
        }
        return new DayMerge(tenantId, stream, table, day, tasks, isDense).run(outputs);
    }

    /** One merge. */
    private final class DayMerge {
        private final String tenantId;
        private final String stream;
        private final Table table;
        private final TableDay day;
        private final List<FileScanTask> tasks;
        /** The layout of what is written: also that of the inputs, if the day is no longer due. */
        private final boolean isDense;

        private final FileIO io;
        private final LogBlockSchema schema;
        private final List<LogBlockFile> written = new ArrayList<>();
        /** Of all objects that were started. */
        private final List<String> locations = new ArrayList<>();

        private long rowsRemoved;

        DayMerge(String tenantId, String stream, Table table, TableDay day, List<FileScanTask> tasks, boolean isDue) {
            this.tenantId = tenantId;
            this.stream = stream;
            this.table = table;
            this.day = day;
            this.tasks = tasks;
            this.isDense = isDue || tasks.stream().allMatch(DayMerge::isDense);
            this.io = table.io();
            this.schema = TableSchemas.logBlockSchema(table.schema(), table.properties());
        }

        MergeResult run(int outputs) throws IOException, InterruptedException {
            long rows = 0;
            boolean isCommitting = false;
            try {
                List<MergeInput> inputs = inputs();
                rows = tasks.stream()
                                .mapToLong(task -> task.file().recordCount())
                                .sum()
                        - rowsRemoved;
                write(inputs, rows, outputs);
                isCommitting = true;
                Outcome outcome = committer.commit(rewrite());
                if (outcome == Outcome.REFUSED) {
                    deleteWritten();
                }
                return result(outcome == Outcome.REPLACED, rows);
            } catch (IOException | InterruptedException | RuntimeException e) {
                if (!isCommitting) {
                    deleteWritten();
                }
                throw e;
            }
        }

        private List<MergeInput> inputs() {
            Map<String, LogBlockEntry> entries =
                    day.entries(table).stream().collect(Collectors.toMap(LogBlockEntry::location, Function.identity()));
            List<MergeInput> inputs = new ArrayList<>();
            for (FileScanTask task : tasks) {
                String location = task.file().location();
                DeletedRows deleted = DeletedRows.of(task, io);
                rowsRemoved += deleted.count();
                inputs.add(new MergeInput(
                        entries.get(location).firstTime(),
                        deleted.toArray(),
                        metrics -> LogBlock.open(new InputFileReader(io.newInputFile(location)), metrics)));
            }
            inputs.sort(Comparator.comparingLong(MergeInput::firstTime));
            return inputs;
        }

        private void write(List<MergeInput> inputs, long rows, int outputs) throws IOException, InterruptedException {
            long left = rows;
            try (LogBlockMerge merge = new LogBlockMerge(schema, inputs, copiesPages(), new ReadMetrics())) {
                for (int output = outputs; output > 0 && left > 0; output--) {
                    long share = (left + output - 1) / output;
                    writeOne(merge, share);
                    left -= share;
                }
                int more = merge.next(1).rows();
                if (more > 0) {
                    throw new IOException("The LogBlocks hold more rows than their manifests say: %s"
                            .formatted(tasks.getFirst().file().location()));
                }
            }
        }

        /** Pages of the other layout would stay as large as they are. */
        private boolean copiesPages() {
            return copiesText && tasks.stream().allMatch(task -> isDense(task) == isDense);
        }

        private static boolean isDense(FileScanTask task) {
            return LogBlockNames.isDense(task.file().location());
        }

        private void writeOne(LogBlockMerge merge, long rows) throws IOException, InterruptedException {
            String location = LogBlockNames.newMergedLocation(table.location(), day.epochDay(), isDense);
            locations.add(location);
            try (OutputStream out = io.newOutputFile(location).create();
                    LogBlockWriter writer = new LogBlockWriter(out, schema, isDense ? dense : options)) {
                for (long left = rows; left > 0; ) {
                    if (Thread.interrupted()) {
                        throw new InterruptedException("interrupted while merging");
                    }
                    LogBlockMerge.Batch batch = merge.next(left);
                    if (batch.rows() == 0) {
                        throw new IOException("The LogBlocks hold fewer rows than their manifests say: %s"
                                .formatted(tasks.getFirst().file().location()));
                    }
                    batch.appendTo(writer);
                    left -= batch.rows();
                }
                written.add(new LogBlockFile(location, day.epochDay(), writer.finish()));
            }
            merge.endLogBlock();
        }

        private Rewrite rewrite() {
            return new Rewrite(
                    tenantId,
                    stream,
                    table.uuid().toString(),
                    table.currentSnapshot().snapshotId(),
                    tasks.stream().map(FileScanTask::file).collect(Collectors.toSet()),
                    deletesDone(),
                    written);
        }

        /** Delete files that apply to no remaining file of the day. */
        private Set<DeleteFile> deletesDone() {
            Set<String> replaced =
                    tasks.stream().map(task -> task.file().location()).collect(Collectors.toSet());
            Map<String, DeleteFile> done = tasks.stream()
                    .flatMap(task -> task.deletes().stream())
                    .collect(Collectors.toMap(DeleteFile::location, Function.identity(), (a, b) -> a));
            List<FileScanTask> all = new ArrayList<>(day.logBlocks());
            all.addAll(day.others());
            for (FileScanTask task : all) {
                if (!replaced.contains(task.file().location())) {
                    task.deletes().forEach(delete -> done.remove(delete.location()));
                }
            }
            return new HashSet<>(done.values());
        }

        /** No table refers to these objects, and none will. */
        private void deleteWritten() {
            for (String location : locations) {
                try {
                    io.deleteFile(location);
                } catch (RuntimeException e) {
                    LOG.warn("Cannot delete {}; the orphan cleaner will delete it", location, e);
                }
            }
        }

        private MergeResult result(boolean isDone, long rows) {
            return new MergeResult(
                    isDone,
                    tasks.size(),
                    written.size(),
                    isDense ? written.size() : 0,
                    tasks.stream()
                            .mapToLong(task -> task.file().fileSizeInBytes())
                            .sum(),
                    written.stream()
                            .mapToLong(file -> file.summary().sizeInBytes())
                            .sum(),
                    rows,
                    rowsRemoved);
        }
    }
}
