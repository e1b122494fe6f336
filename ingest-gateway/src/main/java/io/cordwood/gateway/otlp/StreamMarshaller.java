package io.cordwood.gateway.otlp;

import io.grpc.MethodDescriptor.Marshaller;
import java.io.InputStream;

/** Hands over a message as a stream, which is good until the call's listener returns. Stateless. */
enum StreamMarshaller implements Marshaller<InputStream> {
    INSTANCE;

    @Override
    public InputStream stream(InputStream message) {
        return message;
    }

    @Override
    public InputStream parse(InputStream message) {
        return message;
    }
}
