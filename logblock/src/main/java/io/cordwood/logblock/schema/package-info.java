/**
 * The columns of a LogBlock, their types and kinds of index, and the options of writing it. Depends on no other
 * package.
 */
package io.cordwood.logblock.schema;
