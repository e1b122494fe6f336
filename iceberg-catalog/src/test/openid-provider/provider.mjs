// An OpenID provider for OpenIdProviderIT: `node provider.mjs PORT`.
// Client "ann" gets access tokens for the lake as JWT (RFC 9068), by its secret.
import { Provider } from 'oidc-provider';

const port = Number(process.argv[2]);
const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'ann',
      client_secret: 'a-secret-of-ann',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    },
  ],
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (ctx, resource) => ({
        scope: 'logs',
        audience: resource,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 300,
      }),
    },
  },
});
provider.listen(port, '127.0.0.1', () => console.log(`listening on ${issuer}`));
