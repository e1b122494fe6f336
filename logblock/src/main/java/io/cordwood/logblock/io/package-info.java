/**
 * Ranges of bytes: reading them from an object, counting the reads, and the exception for an unreadable object. Depends
 * on no other package.
 */
package io.cordwood.logblock.io;
