/** Somebody who uses the web app: a session, documents as a browser opens them and page data as it navigates. */
import { HEADERS } from '../../packages/web/src/wire/names.ts'
import { OWNER, type RunningErrata } from './errata.ts'

export interface Person {
  /** Opens an address; milliseconds until the last byte. Throws unless the answer is 200. */
  document(path: string): Promise<number>
  /** Asks for a page's data as a navigation does; likewise. */
  pageData(path: string): Promise<number>
}

const ANSWER_MS = 120_000

type Address = Pick<RunningErrata, 'host' | 'port' | 'origin'>

/** A new session's cookie, as the `Cookie` header has it. */
export async function signInSession(
  { host, port, origin }: Address,
  who: { readonly email: string; readonly password: string } = OWNER,
): Promise<string> {
  const answer = await fetch(`http://${host}:${port}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      origin,
      'sec-fetch-site': 'same-origin',
      [HEADERS.action]: 'auth.sign-in',
      'content-type': 'application/json',
    },
    body: JSON.stringify(who),
  })
  const text = await answer.text()
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0]
  if (cookie === undefined) throw new Error(`cannot sign in: ${answer.status} ${text.slice(0, 200)}`)
  return cookie
}

export async function signIn(errata: Address): Promise<Person> {
  const address = `http://${errata.host}:${errata.port}`
  const cookie = await signInSession(errata)
  const timed = async (path: string, headers: Readonly<Record<string, string>>): Promise<number> => {
    const startMs = performance.now()
    const page = await fetch(`${address}${path}`, {
      redirect: 'manual',
      headers: { cookie, ...headers },
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    await page.arrayBuffer()
    if (page.status !== 200) throw new Error(`GET ${path}: ${page.status}`)
    return performance.now() - startMs
  }
  return {
    document: (path) => timed(path, { accept: 'text/html' }),
    pageData: (path) => timed(path, { [HEADERS.page]: 'data' }),
  }
}
