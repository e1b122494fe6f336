/**
 * The job with Flink in a process of its own: restarts from the newest checkpoint, task managers on other machines.
 */
package io.cordwood.ingest.cluster;
