package io.cordwood.catalog.server;

import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.io.IOException;

/** Signed requests on S3Proxy. */
final class StorageAccessIT extends AbstractStorageAccessTests {
    @Override
    Service startStore() throws IOException, InterruptedException {
        return TestServices.objectStore();
    }
}
