/** The part of GitHub that a sign-in meets, as its documentation describes it. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listening } from './listening.ts'

export interface GithubPerson {
  readonly id: number
  readonly login: string
  readonly name: string | null
  readonly emails: readonly {
    readonly email: string
    readonly primary: boolean
    readonly verified: boolean
  }[]
  readonly organisations: readonly string[]
}

export async function openGithub(client: { readonly id: string; readonly secret: string }) {
  const codes = new Map<string, { readonly person: GithubPerson; readonly challenge: string }>()
  const people = new Map<string, GithubPerson>()
  const tokenOf = (form: URLSearchParams): object => {
    const given = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isClient = form.get('client_id') === client.id && form.get('client_secret') === client.secret
    if (given === undefined || !isClient || verifier !== given.challenge)
      return { error: 'bad_verification_code' }
    const token = `token-${given.person.login}`
    people.set(token, given.person)
    return { access_token: token, token_type: 'bearer' }
  }
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://github.test')
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (pathname === '/login/oauth/access_token')
      return send(200, tokenOf(new URLSearchParams(await text(request))))
    const person = people.get((request.headers.authorization ?? '').replace('Bearer ', ''))
    if (person === undefined) return send(401, { message: 'Bad credentials' })
    if (pathname === '/api/v3/user')
      return send(200, { id: person.id, login: person.login, name: person.name })
    if (pathname === '/api/v3/user/emails') return send(200, person.emails)
    const organisation = /^\/api\/v3\/user\/memberships\/orgs\/([\w-]+)$/.exec(pathname)?.[1] ?? ''
    if (person.organisations.includes(organisation)) return send(200, { state: 'active', role: 'member' })
    return send(404, { message: 'Not Found' })
  })
  const { url, close } = await listening(server)
  return {
    url,
    /** Agrees for the person on GitHub's page; returns the address of Errata with a code. */
    agree(address: string, person: GithubPerson): URL {
      const asked = new URL(address).searchParams
      const code = `code-${codes.size}-${person.login}`
      codes.set(code, { person, challenge: asked.get('code_challenge') ?? '' })
      const back = new URL(asked.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString()
      return back
    },
    close,
  }
}
