package io.cordwood.query.search;

import io.cordwood.logblock.vector.Vector;
import java.util.List;

/**
 * Consecutive rows of an answer, column by column. Immutable by convention.
 *
 * @param positions positions of the rows, in the order of the answer
 * @param vectors values of each column of the question, in the same order
 */
public record RowChunk(List<RowPosition> positions, List<Vector> vectors) {
    public RowChunk {
        positions = List.copyOf(positions);
        vectors = List.copyOf(vectors);
    }

    public int size() {
        return positions.size();
    }
}
