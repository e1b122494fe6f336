/**
 * Files on local disk and in S3, as Iceberg reads and writes them, without Hadoop. Depends on no other package.
 */
package io.cordwood.catalog.io;
