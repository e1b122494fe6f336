package io.cordwood.catalog.server.storage;

import io.cordwood.catalog.io.S3Clients;
import io.cordwood.catalog.io.S3Settings;
import io.cordwood.catalog.server.http.Caller;
import io.cordwood.catalog.server.store.Database;
import java.net.URI;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.aws.s3.S3FileIOProperties;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.rest.ResourcePaths;
import org.apache.iceberg.rest.credentials.ImmutableCredential;
import org.apache.iceberg.rest.requests.RemoteSignRequest;
import org.apache.iceberg.rest.responses.ImmutableRemoteSignResponse;
import org.apache.iceberg.rest.responses.LoadTableResponse;
import org.apache.iceberg.rest.responses.RemoteSignResponse;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.sts.model.Credentials;

/**
 * Lets clients at the objects of their tables in an S3 store without keys of their own. Thread-safe.
 *
 * <p>The service's own credentials sign, and assume the role of vended keys. They never leave it.
 */
public final class StorageAccess implements AutoCloseable {
    private static final ResourcePaths PATHS = ResourcePaths.forCatalogProperties(Map.of());

    private final Map<String, String> storeProperties;
    private final StoreAddress store;
    private final TableLocations tables;
    private final DefaultCredentialsProvider credentials;
    private final RequestSigner signer;
    private final CopyGuard guard;
    private final Optional<VendedKeys> keys;

    /**
     * Access to the warehouse.
     *
     * @param warehouse its location, in an S3 store
     * @param role the role of vended keys; empty: there are none
     */
    public StorageAccess(
            S3Settings settings, String warehouse, Optional<StorageRole> role, Database database, FileIO io) {
        String region = S3Clients.region(settings)
                .orElseGet(() -> new DefaultAwsRegionProviderChain().getRegion().id());
        storeProperties = new HashMap<>(settings.properties());
        storeProperties.put(S3Settings.REGION, region);
        store = StoreAddress.of(settings, region, warehouse);
        tables = new TableLocations(database, io);
        credentials = DefaultCredentialsProvider.builder().build();
        signer = new RequestSigner(credentials, region);
        guard = new CopyGuard(signer);
        keys = role.map(assumed ->
                new VendedKeys(credentials, region, assumed.arn(), assumed.stsEndpoint(), InstantSource.system()));
    }

    /**
     * The way for a caller, before its table is read; empty if it needs none because it has keys.
     *
     * @param header value of {@value AccessDelegation#HEADER}
     * @throws IllegalArgumentException if the caller has no keys and asks for no way that there is
     */
    public Optional<AccessDelegation> way(Caller caller, TableIdentifier table, Optional<String> header) {
        if (caller.service().isPresent()) {
            return Optional.empty();
        }
        Set<AccessDelegation> ways = AccessDelegation.parse(header);
        boolean vends = ways.contains(AccessDelegation.VENDED_CREDENTIALS) && keys.isPresent();
        boolean signs = ways.contains(AccessDelegation.REMOTE_SIGNING);
        if (signs && (!vends || caller.writes(table))) {
            return Optional.of(AccessDelegation.REMOTE_SIGNING);
        }
        if (vends) {
            return Optional.of(AccessDelegation.VENDED_CREDENTIALS);
        }
        if (ways.isEmpty() && caller.operator()) {
            return Optional.empty();
        }
        throw new IllegalArgumentException(
                ("The tables are in an S3 store, to which clients get access with their token: set the header %s to"
                                + " remote-signing%s. In properties of Iceberg's clients: header.%s")
                        .formatted(
                                AccessDelegation.HEADER,
                                keys.isPresent() ? " or vended-credentials" : "; this service vends no credentials",
                                AccessDelegation.HEADER));
    }

    /** The response with what a client needs to go this way. */
    public LoadTableResponse with(AccessDelegation way, TableIdentifier table, LoadTableResponse loaded) {
        LoadTableResponse.Builder response = LoadTableResponse.builder()
                .withTableMetadata(loaded.tableMetadata())
                .addAllConfig(storeProperties);
        if (way == AccessDelegation.REMOTE_SIGNING) {
            response.addConfig(S3FileIOProperties.REMOTE_SIGNING_ENABLED, "true");
            // Iceberg before 1.12, and PyIceberg
            response.addConfig("s3.signer.endpoint", PATHS.remoteSign(table));
            response.addConfig("s3.signer", "S3V4RestSigner");
            return response.build();
        }
        String prefix = store.prefix(loaded.tableMetadata().location());
        Map<String, String> config = config(keys.orElseThrow().reading(store.bucket(), prefix));
        return response.addAllConfig(config)
                .addCredential(ImmutableCredential.builder()
                        .prefix("s3://%s/%s".formatted(store.bucket(), prefix))
                        .config(config)
                        .build())
                .build();
    }

    private static Map<String, String> config(Credentials vended) {
        return Map.of(
                S3FileIOProperties.ACCESS_KEY_ID, vended.accessKeyId(),
                S3FileIOProperties.SECRET_ACCESS_KEY, vended.secretAccessKey(),
                S3FileIOProperties.SESSION_TOKEN, vended.sessionToken(),
                S3FileIOProperties.SESSION_TOKEN_EXPIRES_AT_MS,
                        Long.toString(vended.expiration().toEpochMilli()));
    }

    /**
     * Signs a request for an object of a table.
     *
     * @throws ForbiddenException if the caller's roles in the table do not go so far, or it is another request
     * @throws NoSuchTableException if there is no such table
     */
    public RemoteSignResponse sign(Caller caller, TableIdentifier table, RemoteSignRequest request) {
        boolean reads = ObjectRequest.reads(request.method());
        if (reads) {
            caller.requireReader(table);
        } else {
            caller.requireWriter(table);
        }
        TableLocations.Located located = tables.find(table);
        ObjectRequest checked = ObjectRequest.checked(request, store, store.prefix(located.location()));
        Set<String> absent = reads ? Set.of() : guard.absent(address(located.metadata()));
        Map<String, List<String>> headers = signer.headers(checked.method(), checked.uri(), checked.headers(), absent);
        return ImmutableRemoteSignResponse.builder()
                .uri(checked.uri())
                .headers(headers)
                .build();
    }

    /** Whether a signature is good for more than one request: it creates nothing. */
    public static boolean isReuse(RemoteSignRequest request) {
        return ObjectRequest.reads(request.method());
    }

    private URI address(String location) {
        String prefix = store.prefix(location);
        return store.uri(prefix.substring(0, prefix.length() - 1));
    }

    @Override
    public void close() {
        keys.ifPresent(VendedKeys::close);
        guard.close();
        credentials.close();
    }
}
