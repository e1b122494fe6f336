package io.cordwood.standalone.service;

import io.cordwood.catalog.io.S3Settings;
import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.home.Home;
import java.nio.file.Path;
import java.util.TreeMap;

/** The file with the properties of the catalog client, from which jobs learn how to reach object storage. */
final class CatalogProperties {
    private CatalogProperties() {}

    /** Writes the file even if it is empty, so that no properties of an earlier start remain. */
    static Path write(Home home, S3Settings s3) {
        StringBuilder properties = new StringBuilder();
        new TreeMap<>(s3.properties())
                .forEach((name, value) ->
                        properties.append(name).append('=').append(value).append('\n'));
        AtomicFiles.write(file(home), properties.toString());
        return file(home);
    }

    /** Its path in a home. */
    static Path file(Home home) {
        return home.configuration().resolve("catalog.properties");
    }
}
