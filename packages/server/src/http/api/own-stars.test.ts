/** A star that is meant as itself, wherever a search is read. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { callerOf, openShop, type Shop, send } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

/** The event with a star, and one that only a star for any text finds. */
const SENT = [
  {
    name: 'own',
    message: 'cannot read a*b here',
    plan: 'g*ld',
    user: 'u*1',
    release: 'web@1.*',
    env: 'pre*',
  },
  {
    name: 'other',
    message: 'cannot read axb here',
    plan: 'gold',
    user: 'u21',
    release: 'web@1.2',
    env: 'preview',
  },
] as const

const SEARCHES: readonly (readonly [query: string, found: readonly string[]])[] = [
  ['plan:g*ld', ['own', 'other']],
  [String.raw`plan:g\*ld`, ['own']],
  [String.raw`plan:"g\*ld"`, ['own']],
  [String.raw`plan:g\*l*`, ['own']],
  [String.raw`plan:[g\*ld, silver]`, ['own']],
  [String.raw`plan:["g\*ld", gold]`, ['own', 'other']],
  [String.raw`!plan:g\*ld`, ['other']],
  ['a*b', ['own', 'other']],
  [String.raw`a\*b`, ['own']],
  [String.raw`"read a\*b"`, ['own']],
  [String.raw`!"a\*b"`, ['other']],
  [String.raw`user.id:u\*1`, ['own']],
  ['user.id:u*1', ['own', 'other']],
  [String.raw`user.id:u\**`, ['own']],
  [String.raw`release:web@1.\*`, ['own']],
  [String.raw`release:1.\*`, ['own']],
  [String.raw`environment:pre\*`, ['own']],
  [String.raw`error.value:"*a\*b*"`, ['own']],
  [String.raw`stack.function:run\*`, ['own', 'other']],
  [String.raw`plan:g\*ld OR user.id:u21`, ['own', 'other']],
]

describe('a star after a backslash is a star', () => {
  let shop: Shop
  let get: (path: string) => Promise<Json>
  before(async () => {
    shop = await openShop()
    get = async (path) => (await callerOf(shop)(shop.token, `GET ${path}`)).body
    for (const { name, message, plan, user, release, env } of SENT)
      await send(
        shop,
        shop.dsn,
        anError({
          timestamp: (NOW - 60_000) / 1_000,
          fingerprint: [name],
          exception: {
            values: [
              {
                type: 'ReadError',
                value: message,
                stacktrace: {
                  frames: [{ filename: `${name}.js`, function: 'run*', lineno: 1, in_app: true }],
                },
              },
            ],
          },
          tags: { plan, name },
          user: { id: user },
          release,
          environment: env,
        }),
      )
  })
  after(() => shop.close())

  for (const [query, found] of SEARCHES) {
    const asked = `query=${encodeURIComponent(query)}&statsPeriod=14d`
    it(`of issues: ${query}`, async () => {
      const issues: readonly Json[] = await get(`/organizations/acme/issues/?${asked}`)
      assert.deepEqual(
        issues.map(({ metadata }) => metadata.filename.replace('.js', '')).toSorted(),
        found.toSorted(),
      )
    })
    it(`of events: ${query}`, async () => {
      const { data } = await get(`/organizations/acme/events/?dataset=errors&field=title&${asked}`)
      const named = SENT.filter(({ name }) => found.includes(name)).map(
        ({ message }) => `ReadError: ${message}`,
      )
      assert.deepEqual(data.map(({ title }: Json) => title).toSorted(), named.toSorted())
    })
  }
})
