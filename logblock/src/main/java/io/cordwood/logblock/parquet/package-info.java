/**
 * Parquet files, read and written without Hadoop: pages, encodings and footer, also of files that other engines wrote.
 */
package io.cordwood.logblock.parquet;
