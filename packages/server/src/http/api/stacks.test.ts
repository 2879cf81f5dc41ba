import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { NOW } from '#testing/builders/times.ts'
import { callerOf, openShop, type Shop, send } from '#testing/worlds/api.ts'
import { entriesOf } from './shape/entries.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

const FILE = 'https://shop.example/assets/cart.js'
const ID = '8f1e77a0-5b1c-4c02-9d7e-11b0c4021234'
const RAN = {
  function: 'c',
  filename: '/assets/cart.js',
  abs_path: FILE,
  lineno: 1,
  colno: 48_213,
  in_app: true,
}
const WRITTEN = {
  ...{ function: 'Cart.total', filename: 'src/cart.ts', lineno: 12, colno: 3, in_app: true },
  data: { symbolicated: true, resolved_with: 'debug-id', sourcemap: '~/assets/cart.js.map' },
}
const UNREAD = { ...RAN, data: { symbolicated: false, unresolved: 'no_map_for_debug_id' } }

describe('stacks in the web API', () => {
  let shop: Shop
  let call: ReturnType<typeof callerOf>
  let event: string

  before(async () => {
    shop = await openShop()
    call = callerOf(shop)
    event = await send(
      shop,
      shop.dsn,
      anError({
        ...{ timestamp: NOW / 1000 - 60, platform: 'javascript', release: 'shop@1 (beta)' },
        debug_meta: { images: [{ type: 'sourcemap', code_file: FILE, debug_id: ID }] },
        exception: {
          values: [
            {
              ...{ type: 'TypeError', value: 'no lines' },
              stacktrace: { frames: [UNREAD, WRITTEN] },
              raw_stacktrace: { frames: [RAN, RAN] },
            },
          ],
        },
      }),
    )
  })
  after(() => shop.close())

  const read = async (): Promise<Json> => {
    const { status, body } = await call(shop.token, `GET /projects/acme/shop/events/${event}/`)
    assert.equal(status, 200)
    return body
  }

  it('answers how each frame was resolved', async () => {
    const { entries } = await read()
    const [value] = entries.find(({ type }: Json) => type === 'exception').data.values
    assert.deepEqual(
      value.stacktrace.frames.map(({ filename, data }: Json) => [filename, data]),
      [
        [
          '/assets/cart.js',
          { symbolicated: false, resolved_with: null, sourcemap: null, unresolved: 'no_map_for_debug_id' },
        ],
        ['src/cart.ts', { ...WRITTEN.data, unresolved: null }],
      ],
    )
    assert.equal(value.rawStacktrace, null)
  })

  it('answers what ran beside what was written', async () => {
    const view = await shop.queries.event(await shop.people.owner.scope(), 'shop', event)
    const [value] = view?.event.exception?.values ?? []
    assert.ok(view !== null && value !== undefined)
    const values = [{ ...value, raw_stacktrace: { frames: [RAN, RAN] } }]
    const [entry] = entriesOf({ ...view.event, exception: { values } })
    const shaped: Json = entry?.data
    const { rawStacktrace } = shaped.values[0]
    assert.deepEqual(
      rawStacktrace.frames.map(({ absPath, colNo, data }: Json) => [absPath, colNo, data]),
      [
        [FILE, 48_213, null],
        [FILE, 48_213, null],
      ],
    )
  })

  it('says among the errors why a frame was not resolved, and the command that mends it', async () => {
    const { errors } = await read()
    const found = errors.filter(({ data }: Json) => data.unresolved !== undefined)
    assert.deepEqual(
      found.map(({ type, message, data }: Json) => [type, message, data.url, data.unresolved, data.frames]),
      [['js_no_source', 'No map uploaded for this debug ID', FILE, 'no_map_for_debug_id', 1]],
    )
    assert.match(
      found[0].data.command,
      /^sentry-cli --url http:\/\/localhost:9000 sourcemaps upload --org acme --project shop --release 'shop@1 \(beta\)' \.\/dist$/,
    )
  })

  it('sets code mappings in bulk, and leads from a frame to its line', async () => {
    const bulk = (body: object) => call(shop.token, 'POST /organizations/acme/code-mappings/bulk/', body)
    const mappings = [{ stackRoot: 'src/', sourceRoot: 'apps/shop/src/' }]
    const given = { project: 'shop', repository: 'acme/shop', defaultBranch: 'trunk', mappings }
    const made = await bulk(given)
    assert.deepEqual(made.body, {
      ...{ created: 1, updated: 0, errors: 0 },
      mappings: [{ stackRoot: 'src/', sourceRoot: 'apps/shop/src/', status: 'created' }],
    })
    const again: Json = (await bulk({ ...given, provider: 'gitlab' })).body
    assert.equal(again.updated, 1)
    const view = await shop.queries.event(await shop.people.owner.scope(), 'shop', event)
    assert.deepEqual(view?.readable.links, {
      'exception.values.0.stacktrace.frames.1':
        'https://gitlab.com/acme/shop/-/blob/trunk/apps/shop/src/cart.ts#L12',
    })
    assert.equal((await bulk({ ...given, repository: 'https://acme@evil.example/shop' })).status, 400)
    assert.equal((await bulk({ ...given, project: 'no-such' })).status, 404)
  })

  it('looks an event’s frames up, and finds nothing where nothing was uploaded', async () => {
    const scope = await shop.people.owner.scope()
    const view = await shop.queries.sourceMaps(scope, 'shop', { text: '', beforeId: null })
    assert.deepEqual(view?.usage, { bundles: 0, bytes: 0 })
    assert.deepEqual(view?.bundles, [])
    assert.equal(view?.missed.events, 1)
    const rival = await shop.people.rival.scope('rival')
    assert.equal(
      await shop.queries.checkLookUp(rival, String(shop.vault.id), {
        text: event,
        release: null,
        dist: null,
      }),
      null,
    )
  })
})
