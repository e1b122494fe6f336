/** SQL that only reads, answered by Trino. */
package io.cordwood.search.sql;
