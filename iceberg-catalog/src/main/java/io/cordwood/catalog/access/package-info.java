/** The senders of requests to services, and what they may do. */
package io.cordwood.catalog.access;
