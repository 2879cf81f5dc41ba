/** The fixture is what the build sent for the same day in which a project's own alerts were a machine of their own. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { openControlStores } from '#testing/contract/control/open.ts'
import { AlertDay } from '#testing/worlds/alert-day.ts'
import { playDay } from '#testing/worlds/alert-day-script.ts'

const FIXTURE = new URL('../../../../tests/fixtures/alert-day/messages.json', import.meta.url)

it('a day of new and returned issues sends the same messages to the same people', async (t) => {
  const day = await AlertDay.open(openControlStores)
  t.after(() => day.close())
  await playDay(day)
  const { messages } = JSON.parse(readFileSync(FIXTURE, 'utf8'))
  assert.deepEqual(JSON.parse(JSON.stringify(day.sent)), messages)
})
