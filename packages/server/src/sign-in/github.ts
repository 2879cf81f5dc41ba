/** GitHub and GitHub Enterprise Server: OAuth of their own, with PKCE and state; the verified primary email counts. */
import { createHash } from 'node:crypto'
import { isObject } from '#base/json.ts'
import type { Named } from './claims.ts'
import type { Flow } from './flow.ts'
import type { Calls, Credentials } from './oidc.ts'
import { ProviderError } from './provider-error.ts'

type Begun = Pick<Flow, 'state' | 'verifier'> & { readonly callback: string }

export function githubAddress({ provider }: Credentials, { state, verifier, callback }: Begun): string {
  const url = new URL(`${provider.issuer}/login/oauth/authorize`)
  const isLimited = provider.organisations.length > 0
  const query = {
    client_id: provider.clientId,
    redirect_uri: callback,
    scope: isLimited ? 'read:user user:email read:org' : 'read:user user:email',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

export async function githubNamed(
  calls: Pick<Calls, 'fetch'>,
  given: Credentials,
  { query, ...begun }: Begun & { readonly query: string },
): Promise<Named> {
  const answer = new URLSearchParams(query)
  const code = answer.get('code')
  if (answer.get('state') !== begun.state) throw new ProviderError('The answer belongs to another sign-in.')
  if (code === null) throw new ProviderError('The sign-in was cancelled there.')
  const token = await tokenFor(calls, given, { ...begun, code })
  const { issuer, organisations } = given.provider
  const api = issuer === 'https://github.com' ? 'https://api.github.com' : `${issuer}/api/v3`
  const ask = (path: string) => askGithub(calls, `${api}${path}`, token)
  const [user, emails] = [await ask('/user'), await ask('/user/emails')]
  if (!isObject(user) || typeof user.id !== 'number') throw new ProviderError('It did not say who you are.')
  const groups: string[] = []
  for (const name of organisations) {
    const membership = await ask(`/user/memberships/orgs/${encodeURIComponent(name)}`)
    if (isObject(membership) && membership.state === 'active') groups.push(name)
  }
  if (organisations.length > 0 && groups.length === 0)
    throw new ProviderError('You aren’t in any of the GitHub organisations that may sign in.')
  const named = typeof user.name === 'string' && user.name !== '' ? user.name : user.login
  const name = typeof named === 'string' ? named.slice(0, NAME_CHARS_MAX) : ''
  return { subject: String(user.id), email: primaryEmail(emails), name, groups }
}

const NAME_CHARS_MAX = 100

function primaryEmail(emails: unknown): string {
  const primary = Array.isArray(emails) ? emails.find((one) => isObject(one) && one.primary === true) : null
  if (!isObject(primary) || primary.verified !== true || typeof primary.email !== 'string')
    throw new ProviderError('It has not verified your primary email.')
  return primary.email
}

async function tokenFor(
  { fetch }: Pick<Calls, 'fetch'>,
  { provider, clientSecret }: Credentials,
  { code, verifier, callback }: Omit<Begun, 'state'> & { readonly code: string },
): Promise<string> {
  const body = new URLSearchParams({
    client_id: provider.clientId,
    client_secret: clientSecret,
    code,
    redirect_uri: callback,
    code_verifier: verifier,
  })
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' }
  const url = `${provider.issuer}/login/oauth/access_token`
  const answer = await readJson(await fetch(url, { method: 'POST', headers, body: body.toString() }))
  if (!isObject(answer) || typeof answer.access_token !== 'string')
    throw new ProviderError('It refused the client ID, the secret or the address of Errata.')
  return answer.access_token
}

/** `null` for what is not there or not to be seen. */
async function askGithub({ fetch }: Pick<Calls, 'fetch'>, url: string, token: string): Promise<unknown> {
  const headers = {
    ...{ accept: 'application/vnd.github+json', 'user-agent': 'Errata' },
    ...{ authorization: `Bearer ${token}`, 'x-github-api-version': '2022-11-28' },
  }
  const answer = await fetch(url, { headers })
  if (answer.status === 403 || answer.status === 404) return null
  if (!answer.ok) throw new ProviderError(`It answered ${answer.status}.`)
  return readJson(answer)
}

async function readJson(answer: Response): Promise<unknown> {
  try {
    return await answer.json()
  } catch (cause) {
    throw new ProviderError('Its answer is not JSON.', cause)
  }
}
