/** Rows as a stream of Arrow's IPC format. */
package io.cordwood.search.arrow;
