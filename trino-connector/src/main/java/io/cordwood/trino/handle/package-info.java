/** Handles that Trino sends from the coordinator to the workers: tables, columns, splits and deletions. */
package io.cordwood.trino.handle;
