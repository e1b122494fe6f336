package io.cordwood.hot.statistics;

import io.cordwood.hot.log.OffsetSpan;
import io.cordwood.logblock.schema.IndexKind;
import io.cordwood.record.buffer.ColumnNames;
import io.cordwood.record.buffer.MemberObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Collects statistics of the values of one tenant's rows in a chunk while the decoder reads them. Not thread-safe.
 *
 * <p>It observes each value of each row, so each call must cost next to nothing.
 */
final class ColumnsRecorder implements MemberObserver {
    /** A tenant with more members gets no column statistics. */
    private static final int MAX_MEMBERS = 256;
    /** Fractions with longer integer parts are not parsed. */
    private static final int MAX_DIGITS = 15;

    /** The values of one member so far. */
    private static final class Member {
        private final int place;
        private final long salt;
        private String column;
        private boolean isText;
        private boolean isTokenised;
        private boolean isOther;
        private long min = Long.MAX_VALUE;
        private long max = Long.MIN_VALUE;

        Member(int place, String column) {
            this.place = place;
            this.column = column;
            this.salt = TermHash.salt(column);
        }

        void number(long low, long high) {
            isOther = true;
            min = Math.min(min, low);
            max = Math.max(max, high);
        }

        MemberValues values() {
            IndexKind terms = isOther || !isText ? IndexKind.NONE : isTokenised ? IndexKind.TEXT : IndexKind.KEYWORD;
            return new MemberValues(terms, min, max);
        }
    }

    private final TermHash hash;
    private final BloomFilter terms;
    private final List<Member> members = new ArrayList<>();
    private final Map<String, Member> byColumn = new HashMap<>();
    /** Index of the member that probably comes next. */
    private int next;

    /**
     * @param hash scratch memory, shared by recorders of the same thread
     * @param records approximate number of the tenant's records. The filter gets one word per record, which suits half
     *     a dozen terms that occur in no other record
     */
    ColumnsRecorder(TermHash hash, long records) {
        this.hash = hash;
        this.terms = BloomFilter.of(records);
    }

    /** Memory of the filter. */
    int filterBytes() {
        return Long.BYTES * terms.words().length;
    }

    @Override
    public void text(String column, boolean tokenised, byte[] utf8, int from, int to) {
        Member member = member(column);
        member.isText = true;
        if (tokenised) {
            member.isTokenised = true;
            hash.addTokens(member.salt, utf8, from, to, terms);
        } else {
            hash.addValue(member.salt, utf8, from, to, terms);
        }
    }

    @Override
    public void integer(String column, long value) {
        member(column).number(value, value);
    }

    @Override
    public void bool(String column, boolean value) {
        int number = value ? 1 : 0;
        member(column).number(number, number);
    }

    @Override
    public void number(String column, byte[] ascii, int from, int to) {
        Member member = member(column);
        boolean isNegative = ascii[from] == '-';
        long whole = 0;
        int at = isNegative ? from + 1 : from;
        int end = Math.min(to, at + MAX_DIGITS);
        while (at < end && '0' <= ascii[at] && ascii[at] <= '9') {
            whole = whole * 10 + ascii[at++] - '0';
        }
        if (at == to || ascii[at] != '.' || hasExponent(ascii, at, to)) {
            member.number(Long.MIN_VALUE, Long.MAX_VALUE);
        } else if (isNegative) {
            member.number(-whole - 1, -whole);
        } else {
            member.number(whole, whole + 1);
        }
    }

    private static boolean hasExponent(byte[] ascii, int from, int to) {
        for (int at = from; at < to; at++) {
            if (ascii[at] == 'e' || ascii[at] == 'E') {
                return true;
            }
        }
        return false;
    }

    private Member member(String column) {
        if (next < members.size()) {
            Member likely = members.get(next);
            if (isSame(likely.column, column)) {
                next++;
                return likely;
            }
        }
        if (members.size() > MAX_MEMBERS) {
            return members.getLast();
        }
        Member member = byColumn.computeIfAbsent(column, this::add);
        member.column = column;
        next = member.place + 1;
        return member;
    }

    private Member add(String column) {
        Member added = new Member(members.size(), column);
        members.add(added);
        return added;
    }

    /** The decoder interns names, so that equal names are the same object. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(String one, String other) {
        return one == other;
    }

    /** The current statistics; empty if the tenant has too many members. */
    Optional<TenantColumns> columns(String tenantId, OffsetSpan span) {
        if (members.size() > MAX_MEMBERS) {
            return Optional.empty();
        }
        Map<String, MemberValues> values = HashMap.newHashMap(members.size());
        for (Member member : members) {
            if (!ColumnNames.isReserved(member.column)) {
                values.put(member.column, member.values());
            }
        }
        return Optional.of(new TenantColumns(tenantId, span, values, terms.packed()));
    }
}
