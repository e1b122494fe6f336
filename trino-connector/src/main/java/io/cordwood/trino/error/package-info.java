/** Failures as Trino's exceptions and error codes. */
package io.cordwood.trino.error;
