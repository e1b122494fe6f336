/**
 * The query language of {@code match}, the one analyzer, and matching of text. Depends on no other package.
 */
package io.cordwood.logblock.match;
