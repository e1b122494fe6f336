/** Requests that the gateway does not take, and why. */
package io.cordwood.gateway.refusal;
