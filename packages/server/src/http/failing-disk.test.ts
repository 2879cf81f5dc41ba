import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { SAMPLE_SHOP } from '#accept/sample-directory.ts'
import { silentLog } from '#base/log.ts'
import { max } from '#limits/limits.ts'
import { type NewFileOperation, watchedDisk } from '#testing/disk.ts'
import { shortOutcome, summedOutcomes } from '#testing/worlds/accept.ts'
import { TestServer } from '#testing/worlds/server.ts'

/** A disk that refuses one operation with an error of the system. */
function failingDisk() {
  let failing: { readonly operation: NewFileOperation; readonly code: string } | null = null
  const disk = watchedDisk((operation) => {
    if (failing?.operation === operation) throw Object.assign(new Error(failing.code), { code: failing.code })
  })
  return {
    disk,
    fail: (operation: NewFileOperation, code: string) => {
      failing = { operation, code }
    },
    heal: () => {
      failing = null
    },
  }
}

describe('a failing disk under the server', () => {
  const failing = failingDisk()
  let said: string[] = []
  let heard: () => void = () => {}
  const log = {
    ...silentLog,
    error: (text: string) => void said.push(text),
    warn: (text: string) => void said.push(text),
    info: (text: string) => {
      said.push(text)
      heard()
    },
  }
  let server: TestServer
  beforeEach(async () => {
    said = []
    server = await TestServer.open({ disk: failing.disk, log })
    await server.start()
  })
  afterEach(async () => {
    failing.heal()
    await server.close()
  })
  const envelope = (id: number) =>
    `{"event_id":"${String(id).padStart(32, 'a')}"}\n{"type":"event"}\n{"message":"${id}"}`

  for (const [operation, code] of [
    ['write', 'ENOSPC'],
    ['write', 'EIO'],
    ['sync', 'EIO'],
  ] as const) {
    it(`is answered 503 before anything is acknowledged, and found well again without traffic (${operation}: ${code})`, async () => {
      const acknowledged: string[] = []
      const send = async (id: number) => {
        const response = await server.post(envelope(id))
        const text = await response.text()
        if (response.status === 200) acknowledged.push(String(id).padStart(32, 'a'))
        return { response, text }
      }
      await send(1)
      failing.fail(operation, code)
      const refused = await Promise.all(Array.from({ length: 20 }, (_, index) => send(100 + index)))
      for (const { response, text } of refused) {
        assert.equal(response.status, 503, text)
        assert.equal(response.headers.get('retry-after'), String(max('overloadedRetrySeconds')))
        assert.equal(response.headers.get('access-control-allow-origin'), '*')
      }
      assert.match(server.ingest.journal.failing() ?? '', new RegExp(code))
      const well = new Promise<void>((resolve) => {
        heard = resolve
      })
      failing.heal()
      await well // nobody sends: the journal asks by itself
      assert.equal(server.ingest.journal.failing(), null)
      await send(2)
      const found = server.ingest.records()
      const ids = found.flatMap((record) => (record.type === 'envelope' ? [record.eventId] : []))
      assert.deepEqual(ids, acknowledged)
      const counted = found.flatMap((record) => (record.type === 'outcomes' ? record.outcomes : []))
      const later = summedOutcomes([...counted, ...(await server.ingest.outcomes())])
      assert.deepEqual(later.map(shortOutcome), [`${SAMPLE_SHOP} rate_limited overloaded error 20`])
      assert.equal(said.filter((text) => text.startsWith('journal: the disk refuses')).length, 1)
      assert.equal(said.filter((text) => text.startsWith('journal: the disk takes writes again')).length, 1)
      assert.ok(said.length <= 4, said.join('\n'))
    })
  }
})
