/** The query language of {@code match}, the shared analyzer, and matching of text. Depends on no other package. */
package io.cordwood.logblock.match;
