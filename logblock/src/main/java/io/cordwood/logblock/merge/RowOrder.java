package io.cordwood.logblock.merge;

import io.cordwood.logblock.vector.Gather;
import io.cordwood.logblock.vector.Vector;
import io.cordwood.logblock.vector.Vectors;
import java.util.List;

/** The order of rows that come from several inputs. Immutable. */
final class RowOrder {
    private final boolean isOfOne;
    /** The position of each row in the concatenated rows of all inputs. */
    private final int[] positions;

    /**
     * @param sources the input of each row; each has its rows in order. Not used by others afterwards
     * @param counts number of rows of each input
     */
    RowOrder(int[] sources, int[] counts) {
        isOfOne = counts.length == 1;
        positions = sources;
        int[] next = new int[counts.length];
        for (int i = 1; i < next.length; i++) {
            next[i] = next[i - 1] + counts[i - 1];
        }
        for (int i = 0; i < positions.length; i++) {
            positions[i] = next[sources[i]]++;
        }
    }

    /** @param values those of each input, at least one */
    Vector apply(List<Vector> values) {
        Vector all = Vectors.concat(values);
        return isOfOne ? all : Gather.of(all, positions);
    }
}
