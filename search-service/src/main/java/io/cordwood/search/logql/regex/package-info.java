/** Regular expressions with bounds. */
package io.cordwood.search.logql.regex;
