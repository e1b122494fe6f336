/** Values of columns as plain arrays and dictionary ids, and the cache of decoded values. */
package io.cordwood.logblock.vector;
