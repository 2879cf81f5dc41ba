import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SAMPLE_SHOP, sampleDirectory } from '#accept/sample-directory.ts'
import { projectId, seq } from '#base/ids.ts'
import { silentLog } from '#base/log.ts'
import { KINDS } from '#kinds/kinds.ts'
import type { DirectoryChange } from '#ports/projects.ts'
import { encodeRows } from '#store/duckdb/row-lines.ts'
import { runWorkerLoop, type WorkerRequest } from './worker-loop.ts'

/** A loop, what it is asked with, and what it answers. */
function aLoop() {
  const answers: { readonly type?: string }[] = []
  let ask: (request: WorkerRequest) => void = () => {}
  const port = {
    on: (_: string, listener: (request: WorkerRequest) => void) => {
      ask = listener
      return port
    },
    postMessage: (answer: { readonly type?: string }) => void answers.push(answer),
  }
  runWorkerLoop(port as unknown as Parameters<typeof runWorkerLoop>[0], {
    log: silentLog,
    kinds: KINDS,
    encoding: encodeRows,
  }) // as much of a port as it uses
  return { answers, ask: (request: WorkerRequest) => ask(request) }
}

const directory = sampleDirectory()
const change = (from: number): DirectoryChange => ({
  ...{ from, projects: [projectId(SAMPLE_SHOP)] },
  now: { ...directory, version: from + 1 },
})

it('asks for all of the directory when a change follows none that it knows', () => {
  const { answers, ask } = aLoop()
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

it('holds a range until the directory that it is to be processed with is known', () => {
  const { answers, ask } = aLoop()
  const range = (version: number): WorkerRequest => ({
    ...{ type: 'range', version, quarantine: [] },
    range: { file: '/absent', start: 0, end: 0, firstSeq: seq(1), lastSeq: seq(1) },
  })
  const types = () => answers.splice(0).map(({ type }) => type)
  ask({ type: 'directory', directory: { ...directory, version: 7 } })
  ask(range(7))
  assert.deepEqual(types(), ['failure'], 'there is no such file')
  ask(range(8))
  ask(range(8))
  assert.deepEqual(types(), ['directory-missed', 'directory-missed'])
  ask({ type: 'directory', directory: { ...directory, version: 8 } })
  assert.deepEqual(types(), ['failure', 'failure'])
  ask(range(8))
  assert.deepEqual(types(), ['failure'])
})
