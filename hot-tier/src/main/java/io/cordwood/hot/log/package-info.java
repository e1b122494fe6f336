/**
 * Offsets of a partition and the version of a log. Value types that depend on no other package.
 */
package io.cordwood.hot.log;
