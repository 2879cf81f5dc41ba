/** A real OpenID provider inside the test, with the sign-in pages its package brings, and a browser without a screen. */
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import { listening } from './listening.ts'

export interface OpenIdPerson {
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
  readonly groups: readonly string[]
}

export const CLIENT = { id: 'errata', secret: 'a secret that is long enough for anybody' }

export interface OpenIdProvider {
  readonly issuer: string
  /** By subject, which is what is typed at its sign-in page; changes count at the next sign-in. */
  readonly people: Map<string, OpenIdPerson>
  close(): Promise<void>
}

export async function openIdProvider(callback: string, signedOut: string): Promise<OpenIdProvider> {
  const server = createServer()
  const { url: issuer, close } = await listening(server)
  const people = new Map<string, OpenIdPerson>()
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [callback],
        post_logout_redirect_uris: [signedOut],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    cookies: { keys: ['only for this test'] },
    findAccount: (_ctx, id) => {
      const person = people.get(id)
      if (person === undefined) return undefined
      return { accountId: id, claims: () => ({ sub: id, ...person, groups: [...person.groups] }) }
    },
  })
  server.on('request', provider.callback())
  return { issuer, people, close }
}

/** Goes from an address through sign-in and consent until the provider sends the browser back; answers that address. */
export async function throughProvider(
  address: string,
  { subject, until }: { readonly subject: string; readonly until: string },
): Promise<URL> {
  const cookies = new Map<string, string>()
  let [at, form] = [address, '']
  for (let step = 0; step < STEPS_MAX; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await fetch(at, {
      ...{ redirect: 'manual', headers, method: form === '' ? 'GET' : 'POST' },
      ...(form === '' ? {} : { body: form }),
    })
    for (const each of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    const text = await answer.text()
    if (location !== null) {
      at = new URL(location, at).href
      form = ''
      if (at.startsWith(until)) return new URL(at)
      continue
    }
    const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1]
    if (action === undefined) throw new Error(`no way on: ${answer.status} ${text.slice(0, 2_000)}`)
    at = new URL(action, at).href
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1] ?? ''
    form = new URLSearchParams({ prompt, login: subject, password: 'any' }).toString()
  }
  throw new Error(`the provider does not send back, but to ${at}`)
}

const STEPS_MAX = 12
