/** Loki's door: what Promtail, Alloy and other clients of Loki push. */
package io.cordwood.gateway.loki;
