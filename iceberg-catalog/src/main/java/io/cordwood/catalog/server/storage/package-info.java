/**
 * Access of clients to the objects of their tables without keys of their own: remote signing and vended credentials.
 */
package io.cordwood.catalog.server.storage;
