/** What Kafka's consumer may unpack: records are bounded before memory is taken for them, and so is a poll. */
package io.cordwood.hot.fetch;
