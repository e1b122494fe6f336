/** What all doors share: the way of a request from its headers to its answer. */
package io.cordwood.gateway.door;
