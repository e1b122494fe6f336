/** Runs the pipelines of tenants over their rows. */
package io.cordwood.gateway.pipeline;
