package io.cordwood.trino.handle;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.airlift.slice.SizeOf;
import io.cordwood.catalog.delete.RowDeleteFile;
import io.cordwood.query.binding.ScannedLogBlock;
import io.cordwood.query.binding.TableBinding;
import io.cordwood.query.plan.LogBlockGroup;
import io.cordwood.query.plan.LogBlockPart;
import io.cordwood.query.plan.SplitGrouping;
import io.cordwood.query.plan.SplitOrder;
import io.cordwood.query.table.QueryColumn;
import io.trino.spi.SplitWeight;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A split of LogBlocks, which one page source reads one after another, in this order. Immutable.
 *
 * @param members the LogBlocks
 * @param bindings bindings of the scan's columns, each shared by several LogBlocks
 * @param order the order in which the splits of a top-n are read
 */
public record CordwoodLogBlocksSplit(List<Member> members, List<TableBinding> bindings, SplitOrder order)
        implements CordwoodSplit {
    private static final int INSTANCE_SIZE = SizeOf.instanceSize(CordwoodLogBlocksSplit.class);
    private static final int MEMBER_SIZE = SizeOf.instanceSize(Member.class);
    private static final int DELETES_SIZE = SizeOf.instanceSize(RowDeleteFile.class);
    private static final int BYTES_PER_COLUMN = 150;
    private static final double STANDARD_COST = 32 << 20;
    private static final double MINIMUM_WEIGHT = 0.01;

    /**
     * A LogBlock, or the rows of a LogBlock in a time range.
     *
     * @param path location of the object
     * @param sizeInBytes its length
     * @param rowCount its rows
     * @param fromMicros time of its first row, or a bound below it
     * @param toMicros time of its last row, or a bound above it
     * @param deletes the delete files that apply to it
     * @param binding index of its binding in the split's bindings
     * @param part the time range of the requested rows; empty for all
     */
    public record Member(
            String path,
            long sizeInBytes,
            long rowCount,
            long fromMicros,
            long toMicros,
            List<RowDeleteFile> deletes,
            int binding,
            Optional<TimePart> part) {}

    /** Times {@code [fromMicros, toMicros]}. */
    public record TimePart(long fromMicros, long toMicros) {}

    public CordwoodLogBlocksSplit {
        members = List.copyOf(members);
        bindings = List.copyOf(bindings);
    }

    /** Creates a split of these LogBlocks. */
    public static CordwoodLogBlocksSplit of(LogBlockGroup group) {
        Map<TableBinding, Integer> bindings = new LinkedHashMap<>();
        List<Member> members = new ArrayList<>(group.parts().size());
        for (LogBlockPart part : group.parts()) {
            ScannedLogBlock logBlock = part.logBlock();
            Map<String, String> constants = new HashMap<>(logBlock.binding().constants());
            constants.remove(QueryColumn.PATH_NAME);
            TableBinding shared = logBlock.binding().withConstants(constants);
            members.add(new Member(
                    logBlock.path(),
                    logBlock.sizeInBytes(),
                    logBlock.rowCount(),
                    logBlock.fromMicros(),
                    logBlock.toMicros(),
                    logBlock.deletes(),
                    bindings.computeIfAbsent(shared, any -> bindings.size()),
                    part.time().map(time -> new TimePart(time.fromMicros(), time.toMicros()))));
        }
        return new CordwoodLogBlocksSplit(members, List.copyOf(bindings.keySet()), group.order());
    }

    /** The LogBlock of a member. */
    public ScannedLogBlock logBlock(Member member) {
        TableBinding shared = bindings.get(member.binding());
        Map<String, String> constants = new HashMap<>(shared.constants());
        constants.put(QueryColumn.PATH_NAME, member.path());
        return new ScannedLogBlock(
                member.path(),
                member.sizeInBytes(),
                member.rowCount(),
                member.fromMicros(),
                member.toMicros(),
                member.deletes(),
                shared.withConstants(constants));
    }

    /** Splits with the same LogBlocks have the same key, so that a node finds them in its cache. */
    @Override
    @JsonIgnore
    public Optional<String> getAffinityKey() {
        return Optional.of(members.getFirst().path());
    }

    @Override
    @JsonIgnore
    public SplitWeight getSplitWeight() {
        long cost = members.stream()
                .mapToLong(member -> SplitGrouping.cost(member.sizeInBytes()))
                .sum();
        return SplitWeight.fromProportion(Math.clamp(cost / STANDARD_COST, MINIMUM_WEIGHT, 1.0));
    }

    @Override
    @JsonIgnore
    public long getRetainedSizeInBytes() {
        long size = INSTANCE_SIZE;
        for (Member member : members) {
            size += MEMBER_SIZE + SizeOf.estimatedSizeOf(member.path());
            for (RowDeleteFile deletes : member.deletes()) {
                size += DELETES_SIZE + SizeOf.estimatedSizeOf(deletes.location());
            }
        }
        for (TableBinding binding : bindings) {
            size += (long) BYTES_PER_COLUMN * binding.columns().size();
        }
        return size;
    }
}
