/** Flink's REST interface. */
package io.cordwood.balancer.flink;
