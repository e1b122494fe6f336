/**
 * Statistics of hot chunks, which let scans skip chunks without a matching row, and their store in Redis.
 */
package io.cordwood.hot.statistics;
