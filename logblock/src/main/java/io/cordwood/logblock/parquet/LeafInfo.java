package io.cordwood.logblock.parquet;

import org.apache.parquet.format.SchemaElement;

/**
 * A leaf's place in a file's schema.
 *
 * @param position index among the leaves
 * @param parent number of its parent element, which the leaves of a map share
 */
record LeafInfo(int position, int maxDefinition, int maxRepetition, int parent, SchemaElement element) {
    String name() {
        return element.getName();
    }
}
