import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KIND_LIST, kindsOf } from '#kinds/kinds.ts'
import { envelopeOf } from '#testing/builders/records.ts'
import { NOW } from '#testing/builders/times.ts'
import { reading } from '#testing/kinds/reading/index.ts'
import { callerOf, openShop, sendEnvelope } from '#testing/worlds/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into and asserted
type Json = any // see above

describe('rows of a dataset', () => {
  it('are sorted by one of their fields, before which at most one minus stands', async (t) => {
    const shop = await openShop({ kinds: kindsOf([...KIND_LIST, reading]) })
    t.after(() => shop.close())
    const call = callerOf(shop)
    const readings = [3, 1, 2].map((celsius) => {
      const id = celsius.toString(16).padStart(32, '0')
      return ['reading', { id, celsius, meter: 'north', timestamp: NOW / 1_000 }] as const
    })
    await sendEnvelope(shop, shop.dsn, envelopeOf(...readings))
    const ask = (query: string): Promise<{ status: number; body: Json }> =>
      call(shop.token, `GET /organizations/acme/events/?statsPeriod=1d&${query.replaceAll(' ', '%20')}`)
    for (const [sort, wanted] of [
      ['celsius', [1, 2, 3]],
      ['-celsius', [3, 2, 1]],
    ] as const) {
      const { body } = await ask(`dataset=readings&field=celsius&sort=${sort}`)
      assert.deepEqual(
        body.data,
        wanted.map((celsius) => ({ celsius })),
      )
    }
    for (const query of [
      'dataset=readings&field=timestamp&sort=--timestamp',
      'dataset=readings&field=meter&field=count()&sort=--count',
      'dataset=errors&field=timestamp&sort=--timestamp',
      'dataset=errors&field=level&field=count()&sort=--count',
      'dataset=spans&field=timestamp&sort=--timestamp',
      'dataset=spans&field=route&field=kind&field=count()&sort=--count()',
      `dataset=spans&field=timestamp&query=trace:${'a'.repeat(32)}&sort=--timestamp`,
    ]) {
      assert.equal((await ask(query)).status, 400, query)
      assert.equal((await ask(query.replace('--', '-'))).status, 200, query)
    }
  })
})
