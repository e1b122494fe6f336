/**
 * Statistics of hot chunks, by which chunks without a matching row are not read, and their store in Redis.
 */
package io.cordwood.hot.statistics;
