/** Failures of queries and their messages. */
package io.cordwood.query.error;
