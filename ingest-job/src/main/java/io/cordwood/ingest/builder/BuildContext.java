package io.cordwood.ingest.builder;

import io.cordwood.ingest.runtime.JobClock;
import io.cordwood.ingest.storage.TableStorage;

/**
 * The surroundings of one build operator: its settings, its clock, and its connections to other services.
 *
 * @param options the settings
 * @param clock the operator's clock
 * @param storage the catalog and the object storage; the operator closes it
 * @param traffic takes the traffic of the operator's partitions; the operator closes it
 * @param redis target of statistics of unarchived rows; empty for none
 */
record BuildContext(BuildOptions options, JobClock clock, TableStorage storage, TrafficMeter traffic, String redis) {}
