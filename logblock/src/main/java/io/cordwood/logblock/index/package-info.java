/**
 * The index within a LogBlock: time index, Lucene postings, fingerprints of rare terms.
 */
package io.cordwood.logblock.index;
