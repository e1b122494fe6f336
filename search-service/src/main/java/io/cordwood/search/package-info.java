/** The search service: a process that answers questions about tenants' logs over HTTP. */
package io.cordwood.search;
