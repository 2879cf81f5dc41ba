/** OpenID Connect: the code flow with PKCE, state and nonce; ID tokens are checked by the provider's own keys. */
import * as client from 'openid-client'
import type { SignInProvider } from '#ports/single-sign-on.ts'
import { type Named, namedBy } from './claims.ts'
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

type Begun = Pick<Flow, 'state' | 'nonce' | 'verifier'> & { readonly callback: string }

/** Where the browser goes. */
export async function oidcAddress(calls: Calls, given: Credentials, begun: Begun): Promise<string> {
  return told(async () => {
    const config = await configurationOf(calls, given)
    const parameters = {
      redirect_uri: begun.callback,
      scope: 'openid email profile',
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
    }
    return client.buildAuthorizationUrl(config, parameters).href
  })
}

/** Who came back. `query` is what the provider sent the browser back with. */
export async function oidcNamed(
  calls: Calls,
  given: Credentials,
  { query, ...begun }: Begun & { readonly query: string },
): Promise<Named> {
  return told(async () => {
    const config = await configurationOf(calls, given)
    const tokens = await client.authorizationCodeGrant(config, new URL(`${begun.callback}${query}`), {
      pkceCodeVerifier: begun.verifier,
      expectedState: begun.state,
      expectedNonce: begun.nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (claims === undefined) throw new ProviderError('It did not say who you are.')
    // Groups, and some emails, are told at the userinfo endpoint alone.
    const asksMore = config.serverMetadata().userinfo_endpoint !== undefined
    const more = asksMore ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : {}
    return namedBy({ ...claims, ...more, sub: claims.sub }, given.provider)
  })
}

/** Where signing out of the provider begins; `null`: it has no such place. */
export async function oidcSignOut(calls: Calls, given: Credentials, back: string): Promise<string | null> {
  return told(async () => {
    const config = await configurationOf(calls, given)
    if (config.serverMetadata().end_session_endpoint === undefined) return null
    return client.buildEndSessionUrl(config, { post_logout_redirect_uri: back }).href
  })
}

async function configurationOf(
  { fetch, privateIssuers }: Calls,
  { provider, clientSecret }: Credentials,
): Promise<client.Configuration> {
  const customFetch: client.CustomFetch = (url, { method, headers, body }) =>
    fetch(url, { method, headers, body: bodyText(body) })
  const execute = [client.enableNonRepudiationChecks]
  if (privateIssuers) execute.push(client.allowInsecureRequests)
  return client.discovery(
    new URL(provider.issuer),
    provider.clientId,
    { client_secret: clientSecret, [client.clockTolerance]: 30 },
    undefined,
    { execute, [client.customFetch]: customFetch },
  )
}

function bodyText(body: client.FetchBody): string | null {
  if (body === undefined || body === null) return null
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new ProviderError('Its call has a body that cannot be sent.')
}

/** What the library throws, as a sentence: its own words may hold tokens. */
async function told<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
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
