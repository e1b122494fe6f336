package io.cordwood.hot.statistics;

import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.logblock.predicate.KnownValues;
import io.cordwood.logblock.predicate.Predicate.ValueRange;
import io.cordwood.logblock.schema.Column;
import io.cordwood.logblock.schema.ColumnType;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.record.buffer.ColumnNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Statistics of the values of one tenant's rows in a range of records: by member the bounds of numbers, and a filter of
 * the terms. Immutable.
 *
 * <p>The table's schema at query time decides the column and the type of a member's values. So the statistics hold
 * values as they were written, and this class accounts for the conversion to each column type.
 */
public final class TenantColumns implements KnownValues, ChunkKnowledge {
    private static final int COLUMNS_BYTES = 200;
    private static final int MEMBER_BYTES = 120;
    /** Bytes of a character of a name in UTF-8. */
    private static final int CHARACTER_BYTES = 3;

    private final String tenantId;
    private final OffsetSpan span;
    private final Map<String, MemberValues> members;
    private final BloomFilter terms;

    /**
     * @param tenantId the tenant
     * @param span the records; all committed ones are covered
     * @param members statistics of each member, by the name of its column
     * @param terms the terms of all members
     */
    TenantColumns(String tenantId, OffsetSpan span, Map<String, MemberValues> members, BloomFilter terms) {
        this.tenantId = tenantId;
        this.span = span;
        this.members = Map.copyOf(members);
        this.terms = terms;
    }

    String tenantId() {
        return tenantId;
    }

    @Override
    public OffsetSpan span() {
        return span;
    }

    Map<String, MemberValues> members() {
        return members;
    }

    BloomFilter terms() {
        return terms;
    }

    @Override
    public int bytes() {
        int bytes = COLUMNS_BYTES + Long.BYTES * terms.words().length;
        for (String name : members.keySet()) {
            bytes += MEMBER_BYTES + CHARACTER_BYTES * name.length();
        }
        return bytes;
    }

    @Override
    public boolean isNull(Column column) {
        return isOfMembers(column) && sources(column).isEmpty();
    }

    @Override
    public IndexKind terms(Column column) {
        List<MemberValues> sources = sources(column);
        return isOfMembers(column) && sources.size() == 1 ? sources.getFirst().terms() : IndexKind.NONE;
    }

    @Override
    public boolean mayHold(Column column, byte[] term) {
        return term.length > TermHash.MAX_TOKEN_BYTES
                || terms.mayHold(TermHash.of(TermHash.salt(column.name()), term, 0, term.length));
    }

    @Override
    public boolean mayHold(Column column, ValueRange range) {
        return !isOfMembers(column)
                || sources(column).stream().anyMatch(member -> mayHold(column.type(), member, range));
    }

    private static boolean mayHold(ColumnType type, MemberValues member, ValueRange range) {
        if (member.min() > member.max()) {
            return type == ColumnType.TIMESTAMP;
        }
        return switch (type) {
            case BIGINT ->
                range.low()
                                .map(low ->
                                        range.lowInclusive() ? (long) low <= member.max() : (long) low < member.max())
                                .orElse(true)
                        && range.high()
                                .map(high -> range.highInclusive()
                                        ? (long) high >= member.min()
                                        : (long) high > member.min())
                                .orElse(true);
            case DOUBLE ->
                !member.isBounded()
                        || (range.low()
                                        .map(low -> range.lowInclusive()
                                                ? (double) low <= member.max()
                                                : (double) low < member.max())
                                        .orElse(true)
                                && range.high()
                                        .map(high -> range.highInclusive()
                                                ? (double) high >= member.min()
                                                : (double) high > member.min())
                                        .orElse(true));
            case BOOLEAN ->
                !range.isSingleValue()
                        || range.low().map(value -> (boolean) value ? 1 : 0).stream()
                                .anyMatch(value -> member.min() <= value && value <= member.max());
            case VARCHAR, TIMESTAMP, MAP -> true;
        };
    }

    /** Whether the column's values come from members of the same name. */
    private static boolean isOfMembers(Column column) {
        return column.type() != ColumnType.MAP && !ColumnNames.isReserved(column.name());
    }

    /** The members whose values the column may hold; a twin holds those of the bigint column. */
    private List<MemberValues> sources(Column column) {
        Optional<MemberValues> own = Optional.ofNullable(members.get(column.name()));
        Optional<MemberValues> ofTwin = column.type() == ColumnType.DOUBLE && ColumnNames.isTwinName(column.name())
                ? Optional.ofNullable(members.get(ColumnNames.twinOf(column.name())))
                : Optional.empty();
        return Stream.of(own, ofTwin).flatMap(Optional::stream).toList();
    }
}
