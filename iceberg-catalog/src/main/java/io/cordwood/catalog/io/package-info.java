/**
 * Files on the local disk and in S3 for Iceberg, without Hadoop. Depends on no other package.
 */
package io.cordwood.catalog.io;
