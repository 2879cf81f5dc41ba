import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#base/durations.ts'
import { systemRandom } from '#base/random.ts'
import { max } from '#limits/limits.ts'
import { knownDevice, rememberDevice } from './known-device.ts'
import { createSeal, SEAL_KEY_BYTES } from './seal.ts'

const seal = createSeal(new Uint8Array(SEAL_KEY_BYTES))
const parts = { seal, random: systemRandom }

test('a device is known for the accounts that signed in there, the latest few, and keeps its name', () => {
  let kept: string | null = null
  for (let n = 0; n <= max('deviceAccountsMax'); n++)
    kept = rememberDevice(parts, kept, { email: `${n}@example.com`, nowMs: 0 })
  const nameOf = (email: string, nowMs = 0) => knownDevice(seal, kept, { email, nowMs })
  assert.equal(nameOf('0@example.com'), null)
  assert.match(nameOf('1@example.com') ?? '', /^[0-9a-f]{24}$/)
  assert.equal(nameOf(' 5@Example.com '), nameOf('1@example.com'))
  assert.equal(nameOf('1@example.com', max('deviceKnownDays') * DAY_MS + 1), null)
  assert.ok((kept?.length ?? 0) < 300)
})

test('what nobody sealed, or sealed as something else, is no device', () => {
  const other = createSeal(new Uint8Array(SEAL_KEY_BYTES).fill(1))
  const asked = { email: 'a@example.com', nowMs: 0 }
  for (const kept of [
    null,
    undefined,
    '',
    'x',
    seal.seal('a@example.com'),
    rememberDevice({ ...parts, seal: other }, null, asked),
  ])
    assert.equal(knownDevice(seal, kept, asked), null)
})
