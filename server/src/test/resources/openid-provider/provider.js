// A real OpenID provider for tests. Its keys are new each time it starts, which is a rotation.
// What it is told comes as JSON in the environment variable PROVIDER; on its output it says when it listens.
import { generateKeyPairSync } from 'node:crypto';
import Provider from 'oidc-provider';

const told = JSON.parse(process.env.PROVIDER);

function key(type, options, alg) {
  const { privateKey } = generateKeyPairSync(type, options);
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg };
}

const common = { token_endpoint_auth_method: 'client_secret_basic', client_secret: told.secret };

const clients = [
  {
    ...common,
    client_id: 'console',
    redirect_uris: told.redirects,
    post_logout_redirect_uris: told.afterwards,
  },
  {
    client_id: 'open-console',
    token_endpoint_auth_method: 'none',
    redirect_uris: told.redirects,
    post_logout_redirect_uris: told.afterwards,
  },
  ...Object.keys(told.people).map((name) => ({
    ...common,
    client_id: `${name}-program`,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
  })),
];

const about = (name) => told.people[name] ?? {};

const provider = new Provider(told.issuer, {
  clients,
  jwks: { keys: [key('rsa', { modulusLength: 2048 }, 'RS256'), key('ec', { namedCurve: 'P-256' }, 'ES256')] },
  claims: { openid: ['sub'], profile: ['realm', 'tenant', 'name'], email: ['email'] },
  conformIdTokenClaims: told.claims === 'userinfo',
  findAccount: async (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...about(id) }) }),
  extraTokenClaims: async (_, token) => about((token.clientId ?? '').replace('-program', '')),
  pkce: { required: () => true },
  cookies: { keys: ['a key of a test'] },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: true },
    rpInitiatedLogout: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => undefined,
      getResourceServerInfo: (_, resource) => ({
        scope: 'api',
        audience: resource,
        accessTokenTTL: 600,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: told.algorithm } },
      }),
    },
  },
});

const server = provider.listen(told.port, '127.0.0.1', () => console.log('listening'));
process.on('SIGTERM', () => server.close(() => process.exit(0)));
