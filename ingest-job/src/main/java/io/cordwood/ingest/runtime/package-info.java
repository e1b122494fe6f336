/**
 * The clock, the error and the clients that all operators share. Depends on no other package.
 */
package io.cordwood.ingest.runtime;
