/** Loki's HTTP API on the tables of streams. {@code docs/use/loki.md} describes it. */
package io.cordwood.search.loki;
