package io.cordwood.record.buffer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cordwood.logblock.encoding.Hashing;
import io.cordwood.record.policy.TextColumns;
import java.util.Arrays;
import java.util.Locale;

/**
 * A member's name as records spell it, below the names of the enclosing objects, with its meaning.
 *
 * <p>Names form a tree. Each name remembers the name that followed it last time, so that comparing bytes is enough to
 * match records of one shape. Not thread-safe.
 */
public final class MemberName {
    private final byte[] spelling;
    private final String original;
    private final String column;
    private final byte[] originalBytes;
    private final byte[] columnBytes;
    private final int timeRank;
    private final boolean tokenised;

    private MemberName[] table = new MemberName[0];
    private int children;
    private MemberName firstChild;
    private MemberName successor;

    /**
     * The {@link SettledMembers} that were last asked about this name, and the kinds that they settle; only a shortcut.
     */
    private SettledMembers settledIn = SettledMembers.NONE;

    private int settledKinds;

    /** The parent of a record's own members. */
    public static MemberName root() {
        return new MemberName(new byte[0], "", -1);
    }

    private MemberName(byte[] spelling, String original, int timeRank) {
        this.spelling = spelling;
        this.original = original;
        this.column = original.toLowerCase(Locale.ROOT);
        this.originalBytes = original.getBytes(UTF_8);
        this.columnBytes = column.equals(original) ? originalBytes : column.getBytes(UTF_8);
        this.timeRank = timeRank;
        this.tokenised = TextColumns.DEFAULT.isText(column);
    }

    /** The name's raw bytes in the record, including escapes. */
    public byte[] spelling() {
        return spelling;
    }

    /** The dotted name in its original spelling. */
    public byte[] originalBytes() {
        return originalBytes;
    }

    /** The dotted name in lower case: the name of the column. */
    public String column() {
        return column;
    }

    public byte[] columnBytes() {
        return columnBytes;
    }

    /** The rank among the candidates for the event time, from 0; -1 if it is none of them. */
    public int timeRank() {
        return timeRank;
    }

    /** Whether values of this name usually are text that does not repeat. */
    boolean isTokenised() {
        return tokenised;
    }

    /** Whether values of this kind are settled. */
    boolean isSettled(SettledMembers settled, ValueKind kind) {
        int bit = 1 << kind.code();
        if (settledIn != settled) {
            settledIn = settled;
            settledKinds = 0;
        }
        if ((settledKinds & bit) != 0) {
            return true;
        }
        if (!settled.isSettled(column, kind)) {
            return false;
        }
        settledKinds |= bit;
        return true;
    }

    /** Bytes of memory, roughly. */
    public int footprint() {
        return 200 + spelling.length + 4 * originalBytes.length;
    }

    /** The name that probably comes first within this one; null if none is known. */
    public MemberName firstChild() {
        return firstChild;
    }

    /** The name that probably comes next; null if none is known. */
    public MemberName successor() {
        return successor;
    }

    /** Remembers that {@code next} came after {@code previous}, or first if that is null. */
    public void learn(MemberName previous, MemberName next) {
        if (previous == null) {
            firstChild = next;
        } else {
            previous.successor = next;
        }
    }

    /** The known name of this spelling below this one; null if it is new. */
    public MemberName child(byte[] data, int from, int to) {
        if (children == 0) {
            return null;
        }
        int mask = table.length - 1;
        int at = Hashing.hash(data, from, to) & mask;
        while (table[at] != null) {
            byte[] other = table[at].spelling;
            if (Arrays.equals(other, 0, other.length, data, from, to)) {
                return table[at];
            }
            at = (at + 1) & mask;
        }
        return null;
    }

    /** A name below this one; {@link #add} registers it. */
    public MemberName child(byte[] newSpelling, String name, boolean atTop) {
        return atTop
                ? new MemberName(newSpelling, name, EventTime.rank(name.toLowerCase(Locale.ROOT)))
                : new MemberName(newSpelling, original + "." + name, -1);
    }

    /** Adds a name below this one. */
    public void add(MemberName child) {
        if (children * 2 >= table.length) {
            MemberName[] old = table;
            table = new MemberName[Math.max(8, old.length * 2)];
            for (MemberName name1 : old) {
                if (name1 != null) {
                    insert(name1);
                }
            }
        }
        insert(child);
        children++;
    }

    private void insert(MemberName child) {
        int mask = table.length - 1;
        int at = Hashing.hash(child.spelling, 0, child.spelling.length) & mask;
        while (table[at] != null) {
            at = (at + 1) & mask;
        }
        table[at] = child;
    }
}
