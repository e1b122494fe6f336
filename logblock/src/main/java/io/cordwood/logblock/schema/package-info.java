/**
 * The columns of a LogBlock, their types and kinds of index, and the options with which it is written. Depends on no
 * other package.
 */
package io.cordwood.logblock.schema;
