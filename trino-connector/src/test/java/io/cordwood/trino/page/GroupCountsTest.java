package io.cordwood.trino.page;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.airlift.slice.Slices;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.query.table.QueryColumn;
import io.cordwood.trino.handle.ComputedColumnHandle;
import io.cordwood.trino.handle.CordwoodColumnHandle;
import io.cordwood.trino.handle.CordwoodTableHandle.GroupOrder;
import io.cordwood.trino.handle.CordwoodTableHandle.Groups;
import io.cordwood.trino.handle.TableColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.connector.SourcePage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GroupCountsTest {
    private static final TableColumnHandle LEVEL =
            new TableColumnHandle(QueryColumn.stored("level", ColumnType.VARCHAR, IndexKind.KEYWORD));
    private static final List<CordwoodColumnHandle> BOTH = List.of(LEVEL, ComputedColumnHandle.GROUP_COUNT);

    private record Group(Optional<String> value, long rows) {}

    @Test
    void countsAreThoseOfAMapWhateverTheBlocks() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            GroupCounts counts = new GroupCounts(Groups.of(LEVEL), BOTH);
            Map<Optional<String>, Long> expected = new HashMap<>();
            ValueBlock dictionary = values(random, 1 + random.nextInt(300), expected, false);
            for (int page = random.nextInt(20); page > 0; page--) {
                if (random.nextInt(4) == 0) {
                    dictionary = values(random, 1 + random.nextInt(300), expected, false);
                }
                counts.add(SourcePage.create(page(random, dictionary, expected)));
            }
            List<Group> groups = groups(counts);
            assertThat(groups).as("seed %d", seed).extracting(Group::value).doesNotHaveDuplicates();
            assertThat(groups.stream().collect(toMap(Group::value, Group::rows)))
                    .as("seed %d", seed)
                    .isEqualTo(expected);
        }
    }

    private static Page page(Random random, ValueBlock dictionary, Map<Optional<String>, Long> expected) {
        int rows = random.nextInt(500);
        switch (random.nextInt(3)) {
            case 0 -> {
                return new Page(values(random, rows, expected, true));
            }
            case 1 -> {
                Optional<String> value = value(dictionary, 0);
                if (rows > 0) {
                    expected.merge(value, (long) rows, Long::sum);
                }
                return new Page(RunLengthEncodedBlock.create(dictionary.getSingleValueBlock(0), rows));
            }
            default -> {
                int[] ids = random.ints(rows, 0, dictionary.getPositionCount()).toArray();
                Arrays.stream(ids).forEach(id -> expected.merge(value(dictionary, id), 1L, Long::sum));
                return new Page(DictionaryBlock.create(rows, dictionary, ids));
            }
        }
    }

    private static ValueBlock values(Random random, int count, Map<Optional<String>, Long> expected, boolean counted) {
        BlockBuilder builder = VARCHAR.createBlockBuilder(null, count);
        for (int i = 0; i < count; i++) {
            int value = random.nextInt(100);
            if (value == 0) {
                builder.appendNull();
            } else {
                VARCHAR.writeString(builder, "value " + value);
            }
            if (counted) {
                expected.merge(value == 0 ? Optional.empty() : Optional.of("value " + value), 1L, Long::sum);
            }
        }
        return builder.buildValueBlock();
    }

    private static Optional<String> value(ValueBlock block, int position) {
        return block.isNull(position)
                ? Optional.empty()
                : Optional.of(VARCHAR.getSlice(block, position).toStringUtf8());
    }

    private static List<Group> groups(GroupCounts counts) {
        List<Group> groups = new ArrayList<>();
        counts.pages().forEachRemaining(page -> {
            for (int position = 0; position < page.getPositionCount(); position++) {
                groups.add(new Group(
                        value(
                                page.getBlock(0).getUnderlyingValueBlock(),
                                page.getBlock(0).getUnderlyingValuePosition(position)),
                        BIGINT.getLong(page.getBlock(1), position)));
            }
        });
        return groups;
    }

    @Test
    void theFirstAreThoseThatSortingFinds() {
        for (SortOrder direction : SortOrder.values()) {
            List<GroupOrder> order = List.of(new GroupOrder(true, direction), new GroupOrder(false, direction));
            GroupCounts counts = new GroupCounts(new Groups(LEVEL, 4, order), BOTH);
            counts.add(SourcePage.create(words("b", null, "a", "c", "c", "b", "d", null)));
            assertThat(groups(counts)).isEqualTo(sorted(direction).subList(0, 4));
        }
        GroupCounts byValue =
                new GroupCounts(new Groups(LEVEL, 10, List.of(new GroupOrder(false, SortOrder.DESC_NULLS_LAST))), BOTH);
        byValue.add(SourcePage.create(words("b", null, "a", "c")));
        assertThat(groups(byValue))
                .extracting(Group::value)
                .containsExactly(Optional.of("c"), Optional.of("b"), Optional.of("a"), Optional.empty());
    }

    private static List<Group> sorted(SortOrder direction) {
        List<Group> groups = new ArrayList<>(List.of(
                new Group(Optional.of("a"), 1),
                new Group(Optional.of("b"), 2),
                new Group(Optional.of("c"), 2),
                new Group(Optional.of("d"), 1),
                new Group(Optional.empty(), 2)));
        // As letters: what comes before all, and after all
        boolean nullIsLeast = direction.isNullsFirst() == direction.isAscending();
        Comparator<Group> ascending = Comparator.comparingLong(Group::rows)
                .thenComparing(group -> group.value().orElse(nullIsLeast ? "A" : "z"));
        groups.sort(direction.isAscending() ? ascending : ascending.reversed());
        return groups;
    }

    private static Page words(String... words) {
        BlockBuilder builder = VARCHAR.createBlockBuilder(null, words.length);
        for (String word : words) {
            if (word == null) {
                builder.appendNull();
            } else {
                VARCHAR.writeString(builder, word);
            }
        }
        return new Page(builder.build());
    }

    @Test
    void onlyTheColumnsAskedForAreGiven() {
        GroupCounts values = new GroupCounts(Groups.of(LEVEL), List.of(LEVEL));
        values.add(SourcePage.create(words("a", "a")));
        assertThat(values.pages()).toIterable().singleElement().satisfies(page -> {
            assertThat(page.getChannelCount()).isEqualTo(1);
            assertThat(page.getPositionCount()).isEqualTo(1);
        });
        GroupCounts turned = new GroupCounts(Groups.of(LEVEL), List.of(ComputedColumnHandle.GROUP_COUNT, LEVEL));
        turned.add(SourcePage.create(words("a", "a")));
        assertThat(turned.pages())
                .toIterable()
                .singleElement()
                .satisfies(
                        page -> assertThat(BIGINT.getLong(page.getBlock(0), 0)).isEqualTo(2));
        assertThat(new GroupCounts(Groups.of(LEVEL), BOTH).pages().hasNext()).isFalse();
    }

    @Test
    void whatIsHeldIsTheValuesAndNotWhatTheyWereReadFrom() {
        GroupCounts counts = new GroupCounts(Groups.of(LEVEL), BOTH);
        for (int page = 0; page < 100; page++) {
            BlockBuilder builder = VARCHAR.createBlockBuilder(null, 2);
            VARCHAR.writeSlice(builder, Slices.utf8Slice("x".repeat(page)));
            VARCHAR.writeSlice(builder, Slices.allocate(1 << 20));
            counts.add(SourcePage.create(new Page(builder.build())));
        }
        assertThat(counts.retainedBytes()).isBetween(1L << 20, 2L << 20);
    }
}
