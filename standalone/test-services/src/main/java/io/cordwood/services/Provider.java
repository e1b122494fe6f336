package io.cordwood.services;

import java.io.IOException;

/** The provider of services: containers or processes. */
interface Provider {
    Service kafka() throws IOException, InterruptedException;

    Service postgresql() throws IOException, InterruptedException;

    Service redis() throws IOException, InterruptedException;
}
