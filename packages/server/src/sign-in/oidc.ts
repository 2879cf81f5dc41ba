/** OpenID Connect: the code flow with PKCE, state and nonce; ID tokens are checked by the provider's own keys. */
import type * as Client from 'openid-client'
import type { SignInProvider } from '#ports/single-sign-on.ts'
import { identityOf, type Named } from './claims.ts'
import type { Flow } from './flow.ts'
import type { GuardedFetch } from './guarded-fetch.ts'
import { ProviderError } from './provider-error.ts'

export interface Credentials {
  readonly provider: SignInProvider
  readonly clientSecret: string
}

export interface Calls {
  readonly fetch: GuardedFetch
  readonly privateIssuers: boolean
}

/** When somebody signs in so, and not before: few servers have a provider. */
const loadClient = () => import('openid-client')

type Begun = Pick<Flow, 'state' | 'nonce' | 'verifier'> & { readonly callback: string }

/** Returns the provider's address for the browser. `isFresh`: it must ask for the sign-in again. */
export async function oidcAddress(
  calls: Calls,
  given: Credentials,
  { isFresh = false, ...begun }: Begun & { readonly isFresh?: boolean },
): Promise<string> {
  return withPlainErrors(async (client) => {
    const config = await configurationOf(client, calls, given)
    const parameters = {
      redirect_uri: begun.callback,
      scope: 'openid email profile',
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
      // A session that is open there is not enough: whoever holds the browser proves who they are.
      ...(isFresh ? { max_age: '0', prompt: 'login' } : {}),
    }
    return client.buildAuthorizationUrl(config, parameters).href
  })
}

/** Returns the person who came back from the provider. `query` is what the browser was sent back with; `sinceMs`: they signed in there no earlier. */
export async function oidcNamed(
  calls: Calls,
  given: Credentials,
  { query, sinceMs = null, ...begun }: Begun & { readonly query: string; readonly sinceMs?: number | null },
): Promise<Named> {
  return withPlainErrors(async (client) => {
    const config = await configurationOf(client, calls, given)
    const tokens = await client.authorizationCodeGrant(config, new URL(`${begun.callback}${query}`), {
      pkceCodeVerifier: begun.verifier,
      expectedState: begun.state,
      expectedNonce: begun.nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (claims === undefined) throw new ProviderError('It did not say who you are.')
    if (sinceMs !== null) requireFresh(claims.auth_time, sinceMs)
    // Groups, and some emails, are told at the userinfo endpoint alone.
    const asksMore = config.serverMetadata().userinfo_endpoint !== undefined
    const more = asksMore ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : {}
    return identityOf({ ...claims, ...more, sub: claims.sub }, given.provider)
  })
}

/** Not every provider does what `prompt` and `max_age` ask: the time is what counts. */
function requireFresh(authTime: number | undefined, sinceMs: number): void {
  if (authTime === undefined) throw new ProviderError('It did not say when you signed in there.')
  if (authTime + CLOCK_SECONDS < sinceMs / 1_000)
    throw new ProviderError('It did not ask you to sign in again.')
}

/** Clocks of providers may be off by so much. */
const CLOCK_SECONDS = 30

/** Returns the address where signing out of the provider begins; `null` if it has none. */
export async function oidcSignOut(calls: Calls, given: Credentials, back: string): Promise<string | null> {
  return withPlainErrors(async (client) => {
    const config = await configurationOf(client, calls, given)
    if (config.serverMetadata().end_session_endpoint === undefined) return null
    return client.buildEndSessionUrl(config, { post_logout_redirect_uri: back }).href
  })
}

async function configurationOf(
  client: typeof Client,
  { fetch, privateIssuers }: Calls,
  { provider, clientSecret }: Credentials,
): Promise<Client.Configuration> {
  const customFetch: Client.CustomFetch = (url, { method, headers, body }) =>
    fetch(url, { method, headers, body: bodyText(body) })
  const execute = [client.enableNonRepudiationChecks]
  if (privateIssuers) execute.push(client.allowInsecureRequests)
  return client.discovery(
    new URL(provider.issuer),
    provider.clientId,
    { client_secret: clientSecret, [client.clockTolerance]: CLOCK_SECONDS },
    undefined,
    { execute, [client.customFetch]: customFetch },
  )
}

function bodyText(body: Client.FetchBody): string | null {
  if (body === undefined || body === null) return null
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new ProviderError('Its call has a body that cannot be sent.')
}

/** Runs a call, and turns what the library throws into a sentence of ours: its own words may hold tokens. */
async function withPlainErrors<T>(run: (client: typeof Client) => Promise<T>): Promise<T> {
  const client = await loadClient()
  try {
    return await run(client)
  } catch (cause) {
    for (let at: unknown = cause; at instanceof Error; at = at.cause)
      if (at instanceof ProviderError) throw at
    if (cause instanceof client.AuthorizationResponseError)
      throw new ProviderError(
        cause.error === 'access_denied' ? 'The sign-in was cancelled there.' : 'It refused the sign-in.',
        cause,
      )
    if (cause instanceof client.ResponseBodyError)
      throw new ProviderError('It refused the client ID, the secret or the address of Errata.', cause)
    throw new ProviderError('It did not answer as OpenID Connect asks.', cause)
  }
}
