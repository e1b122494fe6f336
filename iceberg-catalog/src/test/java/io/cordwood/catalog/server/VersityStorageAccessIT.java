package io.cordwood.catalog.server;

import io.cordwood.services.Service;
import io.cordwood.services.TestServices;
import java.io.IOException;
import org.junit.jupiter.api.Tag;

/** Signed requests on Versity's gateway. */
@Tag("slow")
final class VersityStorageAccessIT extends AbstractStorageAccessTests {
    @Override
    Service startStore() throws IOException, InterruptedException {
        return TestServices.versityGateway();
    }
}
