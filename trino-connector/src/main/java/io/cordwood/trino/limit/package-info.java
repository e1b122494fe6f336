/** How much of the server the queries of one user take. */
package io.cordwood.trino.limit;
