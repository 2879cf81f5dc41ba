/** Requests after RFC 7644, as Okta and Entra ID send them, to the shop of the web API. */
import assert from 'node:assert/strict'
import { URN } from '#http/scim/values.ts'
import { asking, type Shop, URL_HERE, unwrap } from './api.ts'

export async function tokenWith(shop: Shop, scope: string, who = shop.people.owner): Promise<string> {
  const input = { name: scope, scopes: [scope], personal: false }
  return unwrap(await shop.commands.createToken(asking(await who.viewer(), await who.scope()), input)).token
}

export async function askScim(
  shop: Shop,
  line: string,
  { body, bearer }: { readonly body?: unknown; readonly bearer: string | null },
) {
  const [method = '', path = ''] = line.split(/ (.*)/)
  const request = new Request(`${URL_HERE}/scim/v2/acme${path}`, {
    method,
    headers: {
      'content-type': 'application/scim+json',
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const answer = await shop.api(request, { clientAddress: '192.0.2.1' })
  assert.ok(answer !== null)
  const text = await answer.text()
  // biome-ignore lint/suspicious/noExplicitAny: what the wire answers is looked at field by field
  const json: any = text === '' ? null : JSON.parse(text)
  return { status: answer.status, headers: answer.headers, json }
}

export const okta = (userName: string, more: object = {}) => ({
  schemas: [URN.user],
  userName,
  name: { givenName: 'Nia', familyName: 'Okoye' },
  emails: [{ primary: true, value: userName, type: 'work' }],
  displayName: 'Nia Okoye',
  locale: 'en-US',
  externalId: `okta-${userName}`,
  groups: [],
  password: 'not kept',
  active: true,
  ...more,
})

export const patch = (...Operations: object[]) => ({ body: { schemas: [URN.patch], Operations } })
