package io.cordwood.services;

import java.io.IOException;

/** Where services come from. */
interface Provider {
    Service kafka() throws IOException, InterruptedException;

    Service postgresql() throws IOException, InterruptedException;

    Service redis() throws IOException, InterruptedException;
}
