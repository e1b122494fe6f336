package io.cordwood.standalone.service;

import io.cordwood.catalog.client.CatalogClient;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.standalone.home.AtomicFiles;
import io.cordwood.standalone.home.Home;
import io.cordwood.standalone.secret.Secrets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeMap;

/** The file with the properties of the catalog client, from which jobs learn how to reach object storage. */
final class CatalogProperties {
    private CatalogProperties() {}

    /**
     * Writes the file of a service even if it is empty, so that no properties of an earlier start remain.
     *
     * @param user the service's user in the catalog
     */
    static Path write(Home home, S3Settings s3, String user, Optional<Secrets> secrets) {
        StringBuilder properties = new StringBuilder();
        new TreeMap<>(s3.properties())
                .forEach((name, value) ->
                        properties.append(name).append('=').append(value).append('\n'));
        secrets.ifPresent(own -> properties
                .append(CatalogClient.TOKEN_FILE)
                .append('=')
                .append(own.token(user))
                .append('\n')
                .append(CatalogClient.CA_FILE)
                .append('=')
                .append(own.authorities())
                .append('\n'));
        AtomicFiles.write(file(home, user), properties.toString());
        return file(home, user);
    }

    /** Its path in a home. */
    static Path file(Home home, String user) {
        return home.configuration().resolve(user + "-catalog.properties");
    }
}
