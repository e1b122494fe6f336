/** Ranged reads from object stores and local files. */
package io.cordwood.query.io;
