/** Which maps are used, told in few messages. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type OrgId, orgId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { collectUsedMaps, UsedMapNotes, type UsedMaps } from './used-maps.ts'

const [ACME, RIVAL] = [orgId(1), orgId(2)]

it('collects for a moment, within a bound, and begins anew', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: UsedMaps[] = []
  const note = collectUsedMaps((message) => sent.push(message))
  for (let at = 0; at < max('usedMapsPerMessageMax') + 10; at++) note(ACME, String(at))
  assert.equal(sent.length, 0)
  t.mock.timers.tick(2_000)
  assert.deepEqual(
    sent.map(({ usedMaps }) => usedMaps.length),
    [max('usedMapsPerMessageMax')],
  )
  note(RIVAL, 'again')
  t.mock.timers.tick(2_000)
  assert.deepEqual(sent[1], { usedMaps: [[RIVAL, 'again']] })
})

it('hands them on by organisation, and outlives a store that does not take them', async () => {
  const kept: [OrgId, readonly string[]][] = []
  const notes = new UsedMapNotes(silentLog)
  const message = {
    usedMaps: [
      [ACME, 'a'],
      [RIVAL, 'b'],
      [ACME, 'c'],
    ],
  } as const
  notes.note(message)
  notes.keepIn({ noteUsed: async (org, keys) => void kept.push([org, keys]) })
  notes.note(message)
  assert.deepEqual(kept, [
    [ACME, ['a', 'c']],
    [RIVAL, ['b']],
  ])
  notes.keepIn({ noteUsed: () => Promise.reject(new Error('the disk is full')) })
  notes.note(message)
  await new Promise((resolve) => setImmediate(resolve))
})
