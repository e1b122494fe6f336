/**
 * Traffic by partition and tenant, reported to Redis.
 */
package io.cordwood.ingest.report;
