/** Caches of bytes of objects, in memory and on a local disk, shared by all queries of a node. */
package io.cordwood.query.cache;
