/**
 * Reading and writing of Parquet files without Hadoop: pages, encodings and footer; reading also covers files of other
 * engines.
 */
package io.cordwood.logblock.parquet;
