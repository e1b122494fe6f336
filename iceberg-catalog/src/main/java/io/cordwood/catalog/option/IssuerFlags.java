package io.cordwood.catalog.option;

import io.cordwood.identity.OpenIdProvider;
import io.cordwood.options.HttpUri;
import java.net.URI;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of an OpenID provider, whose tokens users may exchange for those of the lake. */
public final class IssuerFlags {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--issuer",
            paramLabel = "URL",
            converter = HttpUri.class,
            description =
                    "an OpenID provider, exactly as its tokens name it (iss): registered users exchange its tokens for those of the lake")
    private URI issuer;

    @Option(
            names = "--issuer-audience",
            paramLabel = "NAME",
            defaultValue = "cordwood",
            description = "what the provider's tokens must be for (aud), often a client id (default: ${DEFAULT-VALUE})")
    private String audience;

    @Option(
            names = "--issuer-user-claim",
            paramLabel = "CLAIM",
            defaultValue = "sub",
            description = "the claim of the provider's tokens that names the user (default: ${DEFAULT-VALUE})")
    private String userClaim;

    /** The provider, if there is one. @throws ParameterException if the address is not safe */
    public Optional<OpenIdProvider.Settings> settings() {
        try {
            return Optional.ofNullable(issuer).map(url -> new OpenIdProvider.Settings(url, audience, userClaim));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--issuer: " + e.getMessage(), e);
        }
    }
}
