/** The door for clients of Splunk's HTTP Event Collector. */
package io.cordwood.gateway.splunk;
