/**
 * Small summaries of the values of a LogBlock that are known before it is opened: its terms, and the number of distinct
 * values.
 */
package io.cordwood.logblock.sketch;
