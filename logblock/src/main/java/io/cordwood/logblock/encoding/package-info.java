/**
 * Encodings of bytes that Parquet pages and the index share: varints, bits, run lengths, deltas, dictionaries and
 * hashes.
 */
package io.cordwood.logblock.encoding;
