/** What stages of LogQL do with lines. */
package io.cordwood.search.logql.line;
