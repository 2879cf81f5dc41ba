import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { max } from '#limits/limits.ts'
import { aBundle, PLAIN_DEBUG_ID } from '#testing/builders/artifact-bundle.ts'
import { asking, callerOf, openShop, type Shop, unwrap } from '#testing/worlds/api.ts'

const CHECK = '/projects/acme/shop/source-maps/check/'
const DEBUG_ID = PLAIN_DEBUG_ID.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
const PLACE = { line: 1, column: 1 }

describe('the check of uploaded files', () => {
  let shop: Shop
  let call: ReturnType<typeof callerOf>
  const who = async () => asking(await shop.people.owner.viewer(), await shop.people.owner.scope())
  const tokenWith = async (scopes: readonly string[]) =>
    unwrap(await shop.commands.createToken(await who(), { name: scopes.join(), scopes, personal: false }))
      .token
  before(async () => {
    shop = await openShop()
    call = callerOf(shop)
    const bytes = aBundle()
    const sha1 = createHash('sha1').update(bytes).digest('hex')
    const form = new FormData()
    form.append('file', new Blob([bytes]), sha1)
    const request = new Request('http://errata.test/', { method: 'POST', body: form })
    const body = new Uint8Array(await request.arrayBuffer())
    const contentType = request.headers.get('content-type') ?? ''
    unwrap(await shop.commands.uploadChunks(await who(), { contentType, body }))
    unwrap(
      await shop.commands.assembleUpload(await who(), {
        ...{ kind: 'bundle', sha1, chunks: [sha1], name: '', projects: ['shop'] },
        ...{ release: 'shop@1', dist: null },
      }),
    )
  })
  after(() => shop.close())

  const reasons = async (places: readonly object[], token: string) => {
    const { status, body } = await call(token, `POST ${CHECK}`, { places })
    assert.equal(status, 200, JSON.stringify(body))
    const answer = body as { places: { original: unknown; problem: { reason: string; next: string } }[] } // the shape that the web API answers
    return answer.places.map(({ original, problem }) => [original, problem.reason])
  }

  it('answers each place in the order asked, with ids as tools write them, for the scope of uploads', async () => {
    const token = await tokenWith(['org:ci'])
    const found = await reasons(
      [
        { debugId: DEBUG_ID, ...PLACE },
        { debugId: 'f'.repeat(32), ...PLACE },
        { path: '~/app.js', release: 'shop@1', ...PLACE },
        { path: '~/other.js', release: 'shop@1', ...PLACE },
        { path: '~/app.js', ...PLACE },
      ],
      token,
    )
    assert.deepEqual(found, [
      [null, 'map_pending'],
      [null, 'no_map_for_debug_id'],
      [null, 'map_pending'],
      [null, 'no_artifact_matches'],
      [null, 'no_debug_id_no_release'],
    ])
  })

  it('is for who may upload, and says nothing of another organisation', async () => {
    const weak = await tokenWith(['event:read', 'project:read'])
    assert.equal((await call(weak, `POST ${CHECK}`, { places: [] })).status, 403)
    assert.equal((await call(shop.people.rival, `POST ${CHECK}`, { places: [] })).status, 404)
    const none = await call(shop.token, 'POST /projects/acme/no-such/source-maps/check/', {})
    assert.equal(none.status, 404)
  })

  it('refuses what is no list of places, and too many', async () => {
    const most = max('checkedPlacesMax')
    assert.equal((await reasons(new Array(most).fill(PLACE), shop.token)).length, most)
    for (const [body, why] of [
      [{}, /places/],
      [{ places: [{ line: 0 }] }, /places/],
      [{ places: [{ debugId: 'x'.repeat(100) }] }, /places/],
      [{ places: new Array(most + 1).fill(PLACE) }, /At most 100 places/],
    ] as const) {
      const answer = await call(shop.token, `POST ${CHECK}`, body)
      assert.equal(answer.status, 400)
      assert.match(JSON.stringify(answer.body), why)
    }
  })
})
