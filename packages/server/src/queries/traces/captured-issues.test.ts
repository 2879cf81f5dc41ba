/** Failures sent by apps of other frameworks than Next.js: one issue each, in every order of arrival. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { NOW } from '#testing/builders/times.ts'
import { callerOf, openShop, sendEnvelope } from '#testing/worlds/api.ts'

const FOLDER = new URL('../../../../../tests/fixtures/captured-spans/', import.meta.url)
const skip = existsSync(FOLDER) ? false : 'the captured fixtures are not part of this checkout'

interface Sent {
  readonly type: string
  readonly payload: { readonly event_id: string }
  /** Trace in the envelope's header. */
  readonly trace?: object
}

interface CapturedFile {
  readonly items: readonly Sent[]
  readonly capturedMs: number
}

interface Listed {
  readonly title: string
  readonly count: string
}

/** `count title` of each. */
async function issuesOf(
  { items, capturedMs }: CapturedFile,
  order: (items: readonly Sent[]) => readonly Sent[],
): Promise<readonly string[]> {
  const shop = await openShop()
  try {
    shop.clock.advance(capturedMs + 10 * 60_000 - NOW)
    const errors = items.filter(({ type }) => type === 'event')
    for (const { payload, trace } of order(errors)) {
      const lines = [{ event_id: payload.event_id, trace }, { type: 'event' }, payload]
      const bytes = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'))
      await sendEnvelope(shop, shop.dsn, bytes)
    }
    const path = '/organizations/acme/issues/?query=&limit=100'
    const { body } = await callerOf(shop)(shop.token, `GET ${path}`)
    const listed: readonly Listed[] = JSON.parse(JSON.stringify(body))
    return listed.map(({ title, count }) => `${count} ${title}`).sort()
  } finally {
    await shop.close()
  }
}

const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  'astro7.json': [
    '1 Error: the chisel cracked the stone',
    '1 Error: the mortar never dried',
    '1 Error: the quarry flooded',
    '1 Error: the quarry takes no stone',
    "4 TypeError: Cannot read properties of undefined (reading 'length')",
    '4 TypeError: the stone has no weight',
  ],
  'nuxt4.json': [
    '1 Error: the manifest is torn',
    '1 Error: the setup sprang a leak',
    '1 RangeError: no sail on the mast',
    '1 ReferenceError: document is not aboard',
    "1 TypeError: Cannot read properties of undefined (reading 'length')",
    '2 Error: the cargo cannot be loaded',
    "2 TypeError: Cannot read properties of undefined (reading 'length')",
    '6 Error: the cargo went overboard',
    '6 TypeError: the ship has no keel',
  ],
  'tanstack-start1.json': [
    '1 Error: the tide cannot be posted',
    '1 Error: the tide table is wet',
    "1 Hydration failed because the server rendered text didn't match the client (Minified React error #418)",
    '1 TypeError: Failed to fetch',
    '2 Error: the crew refused to sink it',
    '5 Error: the tide never came',
    '6 TypeError: the boat has no hull',
  ],
  'sveltekit3.json': [
    '1 Error: the bloom never came',
    '1 Error: the universal load wilted',
    '1 Error: watering down',
    '2 Error: the can has a hole',
    '2 Error: the remote command pulled too hard',
    '2 Error: the remote query is dry',
    '2 Error: the seeds are mouldy',
    '2 TypeError: the plant has no roots',
  ],
  'sveltekit3-plain.json': [
    '1 Error: nothing can be reserved',
    '1 Error: order was archived',
    '1 Error: order was lost',
    '1 Error: the card was declined by a bank that does not answer',
    '2 Error: the offers are missing',
    '2 Error: the reviews did not answer',
    '2 Error: the stock is not known',
    '2 RangeError: order has no customer',
    '2 TypeError: order has no lines',
  ],
  'sveltekit3-sdk11.json': [
    '1 Error: nothing can be reserved',
    '1 Error: order was archived',
    '1 Error: order was lost',
    '1 Error: the card was declined by a bank that does not answer',
    '2 Error: the offers are missing',
    '2 Error: the reviews did not answer',
    '2 Error: the stock is not known',
    '2 RangeError: order has no customer',
    '2 TypeError: order has no lines',
  ],
  'tanstack-start1-plain.json': [
    '2 Error: the boat cannot be sunk',
    '2 Error: the tides are missing',
    '2 RangeError: boat has no harbour',
    '2 Stale tabs failed after the deploy of tanstack-start@2',
    '2 TypeError: boat has no mast',
    '3 Error: the crew did not answer',
  ],
  'nuxt4-plain.json': [
    '1 Error: No such page',
    '1 ReferenceError: a window is needed for its width',
    "1 TypeError: Cannot read properties of undefined (reading 'name')",
    '2 Error: the card was declined by a bank that does not answer',
    "2 TypeError: Cannot read properties of undefined (reading 'name')",
    '3 Error: the offers are missing',
    '6 RangeError: order has no customer',
    '6 TypeError: order has no lines',
  ],
  'astro7-plain.json': [
    '1 Error: the reviews did not answer',
    '1 Error: the stone cannot be cracked',
    '2 Error: the offers are missing',
    '2 RangeError: stone has no quarry',
    '3 ReferenceError: a window is needed for its width',
    '3 TypeError: stone has no weight',
  ],
  'react-router7.json': [
    '1 Error: the export has no columns',
    '2 Error: the loans are locked',
    '2 Error: the server half of the client route',
    '2 Error: the stamp broke',
    '2 TypeError: page 40 of the book is torn',
    '3 Error: nobody by that badge',
    '3 Error: the shelf burnt down',
  ],
}

describe('issues of captured failures', { skip }, () => {
  for (const [file, expected] of Object.entries(EXPECTED)) {
    const read = (): CapturedFile => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
    it(`${file}, as it came`, async () =>
      assert.deepEqual(await issuesOf(read(), (items) => items), expected))
    it(`${file}, backwards`, async () =>
      assert.deepEqual(await issuesOf(read(), (items) => items.toReversed()), expected))
  }
})
