/**
 * Values of columns as plain arrays and dictionary ids, and the cache that keeps them decoded.
 */
package io.cordwood.logblock.vector;
