/** Evaluates the alert rules of the registry, and sends alerts to Alertmanagers. */
package io.cordwood.search.alert;
