package io.cordwood.standalone.service;

import io.cordwood.catalog.io.S3Settings;
import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.home.Home;
import java.nio.file.Path;
import java.util.TreeMap;

/** The file that tells jobs how to reach object storage: properties of the catalog client. */
final class CatalogProperties {
    private CatalogProperties() {}

    /** Writes the file, also if there is nothing to say, so that what an earlier start said is gone. */
    static Path write(Home home, S3Settings s3) {
        StringBuilder properties = new StringBuilder();
        new TreeMap<>(s3.properties())
                .forEach((name, value) ->
                        properties.append(name).append('=').append(value).append('\n'));
        AtomicFiles.write(file(home), properties.toString());
        return file(home);
    }

    /** Where it is in a home. */
    static Path file(Home home) {
        return home.configuration().resolve("catalog.properties");
    }
}
