package io.cordwood.logblock.parquet;

import io.cordwood.logblock.encoding.ByteSink;
import io.cordwood.logblock.encoding.RleEncoding;
import io.cordwood.logblock.vector.NullMask;

/** Writes a page of dictionary ids. Stateless. */
final class DictionaryIds {
    private DictionaryIds() {}

    static void encode(int[] ids, int dictionarySize, int from, int to, NullMask nulls, ByteSink out) {
        int width = RleEncoding.bitWidth(Math.max(0, dictionarySize - 1));
        out.write(width);
        if (nulls.isEmpty()) {
            RleEncoding.encode(ids, from, to - from, width, out);
            return;
        }
        int[] present = new int[to - from];
        int count = 0;
        for (int i = from; i < to; i++) {
            if (!nulls.isNull(i)) {
                present[count++] = ids[i];
            }
        }
        RleEncoding.encode(present, 0, count, width, out);
    }
}
