package io.cordwood.record.buffer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * The members of some rows that are not settled, in the order in which they are given columns. Not thread-safe, but
 * threads may hand it over.
 *
 * <p>It suffices to find the columns that the rows need, without the rows. Its size is bounded: the flush that writes
 * the rows handles members that do not fit.
 */
public final class SeenMembers {
    /** Far more than a table can hold. */
    private static final int MAX_MEMBERS = 1000;

    /** @param kind the kind of the values; each kind requests a column by itself */
    private record Member(String name, ValueKind kind) {}

    private final SettledMembers settled;
    /** By member: the offset of the last row that has it. */
    private final Map<Member, Long> lastOffsets = new LinkedHashMap<>();

    /** @param settled members to leave out */
    public SeenMembers(SettledMembers settled) {
        this.settled = settled;
    }

    /** Adds the members of records from an offset on. They come after those added before. */
    public void add(RowBuffer rows, long fromOffset) {
        rows.forEachMember(
                rows.firstRowFrom(fromOffset),
                (name, kind, lastRow) -> add(new Member(name, kind), rows.offset(lastRow)));
    }

    /** Adds members of rows that come after those added before. */
    public void add(SeenMembers later) {
        later.lastOffsets.forEach(this::add);
    }

    private void add(Member member, long offset) {
        boolean isKnown = lastOffsets.containsKey(member);
        if (isKnown || (lastOffsets.size() < MAX_MEMBERS && !settled.isSettled(member.name(), member.kind()))) {
            lastOffsets.merge(member, offset, Math::max);
        }
    }

    public boolean isEmpty() {
        return lastOffsets.isEmpty();
    }

    /** The members that are left out. */
    public SettledMembers settled() {
        return settled;
    }

    Stream<String> names() {
        return lastOffsets.keySet().stream().map(Member::name).distinct();
    }

    /** Whether the member's values include a number that a bigint column leaves to its twin. */
    boolean exceedsBigint(String name) {
        return lastOffsets.containsKey(new Member(name, ValueKind.FRACTION))
                || lastOffsets.containsKey(new Member(name, ValueKind.BIG_INTEGER));
    }

    /** Visits the members of rows of records from an offset on. */
    public void forEachFrom(long fromOffset, BiConsumer<String, ValueKind> visitor) {
        lastOffsets.forEach((member, lastOffset) -> {
            if (lastOffset >= fromOffset) {
                visitor.accept(member.name(), member.kind());
            }
        });
    }
}
