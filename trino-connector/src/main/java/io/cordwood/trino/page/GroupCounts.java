package io.cordwood.trino.page;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;

import com.google.common.collect.AbstractIterator;
import com.google.common.collect.Comparators;
import io.airlift.slice.SizeOf;
import io.airlift.slice.Slice;
import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.cordwood.trino.handle.CordwoodTableHandle.GroupOrder;
import io.cordwood.trino.handle.CordwoodTableHandle.Groups;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.connector.SourcePage;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Counts of rows by value of a keyword column. Rows are counted by id while they share a dictionary; when it changes,
 * the counts are added up by value. Not thread-safe.
 */
public final class GroupCounts implements RowCombiner {
    /** The approximate memory of a map entry, a slice with its array, a number, and their group. */
    private static final int ENTRY_SIZE = 160;

    /** The row count of a value; an empty value stands for null. */
    private record Group(Optional<Slice> value, long rows) {}

    private final Groups groups;
    private final List<CordwoodColumnHandle> columns;
    /** For each column, whether it is the count. */
    private final boolean[] isCount;

    private final Map<Slice, Long> counts = new HashMap<>();
    private long valueBytes;
    private long nulls;
    private Optional<ValueBlock> dictionary = Optional.empty();
    /** Row counts by id of the current dictionary. */
    private long[] idCounts = new long[0];

    /** @param columns the columns of a group: its value, its count, or both */
    public GroupCounts(Groups groups, List<CordwoodColumnHandle> columns) {
        this.groups = groups;
        this.columns = List.copyOf(columns);
        this.isCount = new boolean[columns.size()];
        for (int channel = 0; channel < isCount.length; channel++) {
            isCount[channel] = groups.isCount(columns.get(channel));
        }
    }

    @Override
    public List<CordwoodColumnHandle> columns() {
        return List.of(groups.by());
    }

    @Override
    public void add(SourcePage page) {
        switch (page.getBlock(0)) {
            case DictionaryBlock block -> addIds(block);
            case RunLengthEncodedBlock block -> add(block.getValue(), 0, block.getPositionCount());
            case ValueBlock block -> {
                for (int position = 0; position < block.getPositionCount(); position++) {
                    add(block, position, 1);
                }
            }
        }
    }

    private void addIds(DictionaryBlock block) {
        if (dictionary.isEmpty() || dictionary.get() != block.getDictionary()) {
            endDictionary();
            dictionary = Optional.of(block.getDictionary());
            idCounts = new long[block.getDictionary().getPositionCount()];
        }
        for (int position = 0; position < block.getPositionCount(); position++) {
            idCounts[block.getId(position)]++;
        }
    }

    private void endDictionary() {
        dictionary.ifPresent(values -> {
            for (int id = 0; id < idCounts.length; id++) {
                if (idCounts[id] > 0) {
                    add(values, id, idCounts[id]);
                }
            }
        });
        dictionary = Optional.empty();
        idCounts = new long[0];
    }

    private void add(ValueBlock values, int position, long rows) {
        if (values.isNull(position)) {
            nulls += rows;
            return;
        }
        Slice value = VARCHAR.getSlice(values, position);
        if (counts.computeIfPresent(value, (any, before) -> before + rows) == null) {
            // A copy, because the underlying array may be much larger
            counts.put(value.copy(), rows);
            valueBytes += value.length();
        }
    }

    @Override
    public long retainedBytes() {
        return (long) ENTRY_SIZE * counts.size()
                + valueBytes
                + SizeOf.sizeOf(idCounts)
                + dictionary.map(ValueBlock::getRetainedSizeInBytes).orElse(0L);
    }

    @Override
    public Iterator<Page> pages() {
        endDictionary();
        Iterator<Group> requested = requested().iterator();
        PageBuilder page =
                new PageBuilder(columns.stream().map(CordwoodColumnHandle::type).collect(toImmutableList()));
        return new AbstractIterator<>() {
            @Override
            protected Page computeNext() {
                page.reset();
                while (requested.hasNext() && !page.isFull()) {
                    append(requested.next(), page);
                }
                return page.isEmpty() ? endOfData() : page.build();
            }
        };
    }

    private Stream<Group> requested() {
        Stream<Group> all = Stream.concat(
                nulls == 0 ? Stream.empty() : Stream.of(new Group(Optional.empty(), nulls)),
                counts.entrySet().stream().map(entry -> new Group(Optional.of(entry.getKey()), entry.getValue())));
        return groups.order().stream()
                .map(GroupCounts::comparator)
                .reduce(Comparator::thenComparing)
                .map(order ->
                        all
                                .collect(Comparators.least(Math.toIntExact(Math.min(groups.first(), size())), order))
                                .stream())
                .orElse(all);
    }

    private int size() {
        return counts.size() + (nulls == 0 ? 0 : 1);
    }

    private static Comparator<Group> comparator(GroupOrder order) {
        SortOrder direction = order.direction();
        if (order.byCount()) {
            Comparator<Group> fewestFirst = Comparator.comparingLong(Group::rows);
            return direction.isAscending() ? fewestFirst : fewestFirst.reversed();
        }
        Comparator<Slice> values = direction.isAscending() ? Comparator.naturalOrder() : Comparator.reverseOrder();
        return Comparator.comparing(
                group -> group.value().orElse(null),
                direction.isNullsFirst() ? Comparator.nullsFirst(values) : Comparator.nullsLast(values));
    }

    private void append(Group group, PageBuilder page) {
        page.declarePosition();
        for (int channel = 0; channel < columns.size(); channel++) {
            BlockBuilder builder = page.getBlockBuilder(channel);
            if (isCount[channel]) {
                BIGINT.writeLong(builder, group.rows());
            } else {
                group.value().ifPresentOrElse(value -> VARCHAR.writeSlice(builder, value), builder::appendNull);
            }
        }
    }
}
