/** Provides the parts of a scan to Trino as splits. */
package io.cordwood.trino.split;
