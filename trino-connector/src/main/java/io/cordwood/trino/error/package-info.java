/** Failures in Trino's terms. */
package io.cordwood.trino.error;
