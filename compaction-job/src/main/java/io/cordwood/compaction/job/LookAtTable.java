package io.cordwood.compaction.job;

import io.cordwood.catalog.CatalogClient;
import io.cordwood.catalog.TenantNames;
import io.cordwood.compaction.merge.TableDay;
import io.cordwood.compaction.plan.LogBlockEntry;
import io.cordwood.compaction.plan.Merge;
import io.cordwood.compaction.plan.MergePlanner;
import io.cordwood.compaction.plan.MergePlanner.Effort;
import io.cordwood.compaction.plan.MergeSettings;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.metrics.Counter;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at a table: which merges pay. A table that cannot be read is reported without merges. */
public final class LookAtTable extends RichMapFunction<TableVisit, TableReport> {
    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(LookAtTable.class);
    private static final MergeTask[] NONE = new MergeTask[0];
    /** Rows of a day that come later than this after its end are late. */
    private static final Duration LATE = Duration.ofHours(1);

    private final CatalogFactory factory;
    private final long targetBytes;
    private final boolean isFull;
    private transient CatalogClient catalog;
    private transient MergePlanner planner;
    private transient Counter tables;
    private transient Counter failures;

    /**
     * @param targetBytes size that a LogBlock should have
     * @param isFull whether everything is merged that makes the LogBlocks fewer
     */
    public LookAtTable(CatalogFactory factory, long targetBytes, boolean isFull) {
        this.factory = factory;
        this.targetBytes = targetBytes;
        this.isFull = isFull;
    }

    @Override
    public void open(OpenContext context) {
        catalog = factory.connect();
        planner = new MergePlanner(MergeSettings.ofTarget(targetBytes));
        tables = getRuntimeContext().getMetricGroup().counter("tables_looked_at");
        failures = getRuntimeContext().getMetricGroup().counter("tables_failed");
    }

    @Override
    public TableReport map(TableVisit visit) {
        tables.inc();
        MergeTask[] merges = NONE;
        try {
            merges = merges(visit);
        } catch (RuntimeException e) {
            failures.inc();
            LOG.warn(
                    "Cannot look at stream '{}' of tenant '{}'; the next cycle tries again",
                    visit.stream(),
                    visit.tenantId(),
                    e);
        }
        return new TableReport(visit.cycle(), visit.tables(), merges);
    }

    private MergeTask[] merges(TableVisit visit) {
        Table table;
        try {
            table = catalog.catalog()
                    .loadTable(
                            TableIdentifier.of(Namespace.of(TenantNames.schemaName(visit.tenantId())), visit.stream()));
        } catch (NoSuchTableException e) {
            // Dropped since the tables were listed
            return NONE;
        }
        if (table.currentSnapshot() == null) {
            return NONE;
        }
        List<MergeTask> tasks = new ArrayList<>();
        for (TableDay day : TableDay.all(table)) {
            for (Merge merge : planner.plan(day.entries(table), effort(day))) {
                tasks.add(task(visit, day, merge));
            }
        }
        return tasks.toArray(MergeTask[]::new);
    }

    private Effort effort(TableDay day) {
        if (isFull) {
            return Effort.FULL;
        }
        long end = Duration.ofDays(day.epochDay() + 1L).plus(LATE).toMillis();
        return Clock.systemUTC().millis() < end ? Effort.OPEN_DAY : Effort.CLOSED_DAY;
    }

    private static MergeTask task(TableVisit visit, TableDay day, Merge merge) {
        return new MergeTask(
                visit.tenantId(),
                visit.stream(),
                day.epochDay(),
                merge.inputs().stream().map(LogBlockEntry::location).toArray(String[]::new),
                merge.outputs(),
                merge.bytes(),
                merge.gainPerByte(),
                merge.removesDeletes());
    }

    @Override
    public void close() {
        if (catalog != null) {
            catalog.close();
        }
    }
}
