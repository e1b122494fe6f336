package io.cordwood.logblock.index;

/**
 * The terms of a column in some of another LogBlock's rows, which become rows of this one. They fill whole column
 * blocks there and here. Immutable.
 *
 * @param source the index of the other LogBlock's column
 * @param fromRow its first row
 * @param toRow the row after its last one
 * @param fromBlock the column block that begins with its first row
 * @param toBlock the column block after its last one
 * @param row the number of its first row in this LogBlock
 * @param block the number of its first column block in this LogBlock
 */
record CopiedTerms(FieldIndex source, int fromRow, int toRow, int fromBlock, int toBlock, int row, int block) {}
