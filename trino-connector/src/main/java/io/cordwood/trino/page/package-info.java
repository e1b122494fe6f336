/** Rows of LogBlocks as pages and blocks of Trino. */
package io.cordwood.trino.page;
