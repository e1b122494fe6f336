/** Limits of the records that Kafka's consumer unpacks, checked before it allocates them, and of each poll. */
package io.cordwood.hot.fetch;
