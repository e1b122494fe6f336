/** The query language LogQL: its lexer, its parser and its syntax tree. {@code docs/use/loki.md} has what is supported. */
package io.cordwood.search.logql;
