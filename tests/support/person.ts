/** Somebody who uses the web app, without a browser: a session, and requests as Errata's own pages send them. */
import assert from 'node:assert/strict'
import { HEADERS } from '../../packages/web/src/wire/names.ts'

export interface Person {
  /** `null`: nobody is signed in. */
  readonly cookie: string | null
  /** GET as a browser opens an address; redirects are not followed. */
  document(path: string): Promise<Response>
  /** GET as a navigation asks for a page's data. */
  pageData(path: string): Promise<Response>
  /** GET as a script asks for what is no page. */
  script(path: string): Promise<Response>
  /** POST as a hydrated page runs an action. `headers` replaces those that say where it came from. */
  act(action: string, path: string, input: unknown, headers?: OriginHeaders): Promise<Response>
  /** POST as a form without script sends it. */
  form(
    path: string,
    fields: readonly (readonly [string, string])[],
    headers?: OriginHeaders,
  ): Promise<Response>
  /** Any call of the web API with the session's cookie. */
  api(method: string, path: string, body?: unknown, headers?: OriginHeaders): Promise<Response>
}

export type OriginHeaders = Readonly<Record<string, string>>

export function person(url: string, cookie: string | null): Person {
  const own: OriginHeaders = { origin: url, 'sec-fetch-site': 'same-origin' }
  const session = cookie === null ? {} : { cookie }
  const ask = (path: string, init: RequestInit) => fetch(`${url}${path}`, { redirect: 'manual', ...init })
  return {
    cookie,
    document: (path) => ask(path, { headers: { ...session, accept: 'text/html' } }),
    pageData: (path) => ask(path, { headers: { ...session, [HEADERS.page]: 'data' } }),
    script: (path) => ask(path, { headers: { ...session, accept: 'application/json' } }),
    act: (action, path, input, headers = own) =>
      ask(path, {
        method: 'POST',
        headers: { ...session, ...headers, [HEADERS.action]: action, 'content-type': 'application/json' },
        body: JSON.stringify(input),
      }),
    form: (path, fields, headers = own) =>
      ask(path, {
        method: 'POST',
        headers: { ...session, ...headers, accept: 'text/html' },
        body: new URLSearchParams(fields.map(([name, value]) => [name, value])),
      }),
    api: (method, path, body, headers = own) =>
      ask(`/api/0${path}`, {
        method,
        headers: {
          ...session,
          ...(method === 'GET' ? {} : headers),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}

export interface SignIn {
  readonly email: string
  readonly password: string
}

/** Signs in with a new session. */
export async function signIn(url: string, { email, password }: SignIn): Promise<Person> {
  const answer = await person(url, null).act('auth.sign-in', '/sign-in', { email, password })
  return person(url, cookieOf(answer))
}

/** Accepts an invitation as a new person, who is signed in afterwards. */
export async function joinAs(url: string, link: string, password: string): Promise<Person> {
  const { pathname } = new URL(link)
  const answer = await person(url, null).act('auth.join', pathname, { name: 'Somebody New', password })
  return person(url, cookieOf(answer))
}

/** The session that an answer starts. */
function cookieOf(answer: Response): string {
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0]
  assert.ok(cookie !== undefined, `no session was started: ${answer.status}`)
  return cookie
}

/** Returns the result of an action. Fails if it was refused. */
export async function resultOf<T>(answer: Response): Promise<T> {
  const body: unknown = await answer.json()
  assert.equal(answer.status, 200, JSON.stringify(body))
  return (body as { result: T }).result // the caller names the shape it goes on to use
}
