/** The gateway's own door: JSON objects or lines of text over HTTP. */
package io.cordwood.gateway.plain;
