/**
 * Ranges of bytes: reading them from an object, counting what was read, and the error of an unreadable object. Depends
 * on no other package.
 */
package io.cordwood.logblock.io;
