/** OpenTelemetry's door: logs export requests over HTTP and gRPC. */
package io.cordwood.gateway.otlp;
