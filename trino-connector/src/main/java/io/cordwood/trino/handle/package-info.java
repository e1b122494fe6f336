/** What Trino carries from the coordinator to the workers: tables, columns, splits and deletions of a scan. */
package io.cordwood.trino.handle;
