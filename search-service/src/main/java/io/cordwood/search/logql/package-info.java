/** The query language LogQL: lexer, parser and syntax tree. {@code docs/use/loki.md} has what is supported. */
package io.cordwood.search.logql;
