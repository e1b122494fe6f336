/** Answers questions about one tenant's table without an SQL engine: rows in order, counts over time, values. */
package io.cordwood.query.search;
