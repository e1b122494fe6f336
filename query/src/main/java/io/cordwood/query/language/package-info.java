/**
 * The language of the search bar: its parser, its binding to the columns of a table, and the equal conditions in SQL.
 */
package io.cordwood.query.language;
