package io.cordwood.record.assemble;

import io.cordwood.logblock.vector.NullMask;
import io.cordwood.logblock.vector.StringVector;
import io.cordwood.record.buffer.MemoryMeter;
import io.cordwood.record.buffer.TextLane;
import java.util.ArrayList;
import java.util.List;

/** Converts members to varchar vectors, with a dictionary if they were kept in one. Stateless. */
final class VarcharColumns {
    /** Dictionaries with more slots together than this are merged only if their values repeat. */
    private static final int SMALL_DICTIONARY = 1024;

    private VarcharColumns() {}

    static StringVector vector(int rows, List<MemberValues> members) {
        List<MemberValues> texts = new ArrayList<>(members.size());
        int values = 0;
        int slots = 0;
        boolean dictionary = true;
        for (MemberValues member : members) {
            MemberValues text = member.asText();
            texts.add(text);
            values += text.count();
            slots += text.text().slots();
            dictionary &= text.text().isDictionary();
        }
        if (values == 0) {
            return StringVector.plain(new byte[0], new int[rows + 1], rows, NullMask.all(rows));
        }
        return dictionary && (slots <= SMALL_DICTIONARY || slots <= values / 2)
                ? byDictionary(rows, texts)
                : plain(rows, texts);
    }

    /** A value repeated in all rows. */
    static StringVector constant(int rows, byte[] value) {
        return new StringVector(value, new int[] {0, value.length}, new int[rows], rows, NullMask.none());
    }

    private static StringVector byDictionary(int rows, List<MemberValues> members) {
        int[] ids = new int[rows];
        Presence presence = new Presence(rows);
        TextLane merged = members.size() == 1 ? members.getFirst().text() : TextLane.dictionary(new MemoryMeter());
        for (MemberValues member : members) {
            TextLane text = member.text();
            int[] mapping = mapping(text, merged);
            for (int i = 0; i < member.count(); i++) {
                int position = member.position(i);
                if (position >= 0) {
                    ids[position] = mapping[text.slot(i)];
                    presence.set(position);
                }
            }
        }
        return Dictionaries.compact(merged, ids, rows, presence.toNulls());
    }

    /** For each slot of {@code text}, its slot in {@code merged}; adds missing ones. */
    private static int[] mapping(TextLane text, TextLane merged) {
        int[] mapping = new int[text.slots()];
        for (int slot = 0; slot < mapping.length; slot++) {
            mapping[slot] = text == merged ? slot : merged.add(text.bytes(), text.slotStart(slot), text.slotEnd(slot));
        }
        return mapping;
    }

    private static StringVector plain(int rows, List<MemberValues> members) {
        int[] offsets = new int[rows + 1];
        Presence presence = new Presence(rows);
        for (MemberValues member : members) {
            TextLane text = member.text();
            for (int i = 0; i < member.count(); i++) {
                int position = member.position(i);
                if (position >= 0) {
                    int slot = text.slot(i);
                    offsets[position + 1] = text.slotEnd(slot) - text.slotStart(slot);
                    presence.set(position);
                }
            }
        }
        for (int i = 0; i < rows; i++) {
            offsets[i + 1] = Math.addExact(offsets[i], offsets[i + 1]);
        }
        byte[] bytes = new byte[offsets[rows]];
        for (MemberValues member : members) {
            TextLane text = member.text();
            for (int i = 0; i < member.count(); i++) {
                int position = member.position(i);
                if (position >= 0) {
                    int slot = text.slot(i);
                    int from = text.slotStart(slot);
                    System.arraycopy(text.bytes(), from, bytes, offsets[position], text.slotEnd(slot) - from);
                }
            }
        }
        return StringVector.plain(bytes, offsets, rows, presence.toNulls());
    }
}
