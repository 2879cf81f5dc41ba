import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SHOP, sampleDirectory } from '#accept/sample-directory.ts'
import { projectId } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { KINDS } from '#kinds/kinds.ts'
import type { DirectoryChange } from '#ports/projects.ts'
import { encodeRows } from '#store/duckdb/row-lines.ts'
import { runWorkerLoop, type WorkerRequest } from './worker-loop.ts'

it('asks for all of the directory when a change follows none that it knows', () => {
  const answers: unknown[] = []
  let ask: (request: WorkerRequest) => void = () => {}
  const port = {
    on: (_: string, listener: (request: WorkerRequest) => void) => {
      ask = listener
      return port
    },
    postMessage: (answer: unknown) => void answers.push(answer),
  }
  runWorkerLoop(port as unknown as Parameters<typeof runWorkerLoop>[0], {
    log: silentLog,
    kinds: KINDS,
    encoding: encodeRows,
  }) // as much of a port as it uses
  const directory = sampleDirectory()
  const change = (from: number): DirectoryChange => ({
    ...{ from, projects: [projectId(SHOP)] },
    now: { ...directory, version: from + 1 },
  })
  ask({ type: 'directory', directory: { ...directory, version: 7 } })
  ask({ type: 'change', change: change(7) })
  ask({ type: 'change', change: change(8) })
  assert.deepEqual(answers, [])
  ask({ type: 'change', change: change(10) })
  assert.deepEqual(answers, [{ type: 'directory-missed' }])
  ask({ type: 'directory', directory: { ...directory, version: 11 } })
  ask({ type: 'change', change: change(11) })
  assert.equal(answers.length, 1)
})
