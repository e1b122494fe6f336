package io.cordwood.search.loki;

import io.cordwood.query.search.TableScan;

/**
 * The table of a stream.
 *
 * @param scan scans of it
 * @param labels the labels of its rows
 */
record LokiTable(TableScan scan, TableLabels labels) {}
