package io.cordwood.query.search;

import io.cordwood.logblock.vector.Vector;
import java.util.List;

/**
 * Consecutive rows of an answer, column by column. Immutable by convention.
 *
 * @param positions positions of the rows, in the order of the answer
 * @param vectors values of each column of the question, in some order
 * @param places where the values of each row are in the vectors
 */
public record RowChunk(List<RowPosition> positions, List<Vector> vectors, int[] places) {
    /** No rows. */
    static final RowChunk NONE = new RowChunk(List.of(), List.of(), new int[0]);

    public RowChunk {
        positions = List.copyOf(positions);
        vectors = List.copyOf(vectors);
    }

    public int size() {
        return positions.size();
    }
}
