/** Templates of {@code line_format} and {@code label_format}: a part of Go's text/template. */
package io.cordwood.search.logql.template;
