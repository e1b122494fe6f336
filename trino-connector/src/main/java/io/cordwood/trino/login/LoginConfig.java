package io.cordwood.trino.login;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.configuration.validation.FileExists;
import io.cordwood.catalog.client.CatalogClient;
import jakarta.validation.constraints.NotNull;
import java.io.File;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The properties of an authenticator or group provider. Not thread-safe; read once, at start. */
public class LoginConfig {
    private URI catalogUri;
    private File catalogTokenFile;
    private Optional<File> catalogCaFile = Optional.empty();

    @NotNull
    public URI getCatalogUri() {
        return catalogUri;
    }

    @Config("cordwood.catalog-uri")
    @ConfigDescription("Address of the catalog service, as in https://127.0.0.1:8181")
    public LoginConfig setCatalogUri(URI catalogUri) {
        this.catalogUri = catalogUri;
        return this;
    }

    @NotNull
    @FileExists
    public File getCatalogTokenFile() {
        return catalogTokenFile;
    }

    @Config("cordwood.catalog-token-file")
    @ConfigDescription("File with the token of the service 'query'; it is read again when it changes")
    public LoginConfig setCatalogTokenFile(File catalogTokenFile) {
        this.catalogTokenFile = catalogTokenFile;
        return this;
    }

    public Optional<@FileExists File> getCatalogCaFile() {
        return catalogCaFile;
    }

    @Config("cordwood.catalog-ca-file")
    @ConfigDescription("PEM file with the authorities that the catalog service's certificate must come from")
    public LoginConfig setCatalogCaFile(File catalogCaFile) {
        this.catalogCaFile = Optional.ofNullable(catalogCaFile);
        return this;
    }

    /** The properties of the client of the catalog service. */
    Map<String, String> clientProperties() {
        Map<String, String> properties = new HashMap<>();
        properties.put(CatalogClient.TOKEN_FILE, catalogTokenFile.toString());
        catalogCaFile.ifPresent(file -> properties.put(CatalogClient.CA_FILE, file.toString()));
        return properties;
    }
}
