/** A database in which a build queued a project's own alerts with each batch is handed to rules. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { manualClock } from '#base/clock.ts'
import { max } from '#limits/limits.ts'
import { NOW } from '#testing/builders/times.ts'
import { aNoticeStore } from '#testing/notices/store.ts'
import { Connection } from '../connection.ts'

const STEP = new URL('../migrations/0065-preset-rules.sql', import.meta.url)

it('what waits for rules was told already, and what waits for a server’s half is told when it stands alone', async (t) => {
  const clock = manualClock(NOW)
  const { store, path, arrive, logged } = await aNoticeStore(t, {
    clock,
    webhook: 'https://a.example/',
    beats: false,
  })
  await arrive({ group: 'told' }, { group: 'mirror', isMirror: true, digests: ['42'] })
  const db = Connection.openWriter(path)
  // The other build noted those alone that some rule asked for.
  db.run(`DELETE FROM alert_candidates WHERE issue_id IN (SELECT id FROM issues WHERE substatus = 'waiting')`)
  db.script(readFileSync(STEP, 'utf8'))
  db.close()
  const told = async () => {
    await store.evaluateDue(clock.now(), { metrics: false, mail: true })
    return (await logged()).map(({ kind, issue }) => [kind, issue?.title])
  }
  assert.deepEqual(await told(), [])
  clock.advance(max('mirrorWaitMs'))
  await store.standAlone(clock.now())
  assert.deepEqual(await told(), [['new', 'Error: mirror']])
})
