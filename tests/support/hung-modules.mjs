// A reporter, for reporters alone run in the process of the runner. A limit of time is that of a test: a module that waits for
// ever before its first one has none. It looks at the processes that the runner started, stops one that tells of no test for
// too long, or takes longer than any, and names its file.
import { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { relative } from 'node:path'

/** Longer than any module loads on a machine that does much else. */
const FIRST_TEST_MS = Number(process.env.ERRATA_TEST_LOADS_MS ?? 300_000)
const WHOLE_FILE_MS = 60 * 60_000
const LOOK_MS = Math.min(5_000, FIRST_TEST_MS / 4)

export default async function* watch(events) {
  const timer = setInterval(look, LOOK_MS).unref()
  for await (const _ of events);
  clearInterval(timer)
  yield ''
}

/** When each was first seen. */
const seen = new WeakMap()
/** Whether each told of a test: what it prints says nothing. */
const hasTold = new WeakMap()
/** Begins what a process tells the runner, and stands in no text. */
const TOLD = 0xff

subscribe('child_process', ({ process: child }) => {
  child.once('spawn', () => {
    if (child.stdout === null) return
    hasTold.set(child, false)
    child.stdout.on('data', (bytes) => {
      if (bytes.includes(TOLD)) hasTold.set(child, true)
    })
  })
})

function look() {
  // Node has no public way to ask for the processes of its runner.
  for (const child of process._getActiveHandles()) {
    if (!(child instanceof ChildProcess)) continue
    const file = child.spawnargs.findLast((arg) => arg.endsWith('.test.ts') || arg.endsWith('.test.mjs'))
    if (file === undefined) continue
    const sinceMs = seen.get(child) ?? Date.now()
    seen.set(child, sinceMs)
    const why = reasonToStop(child, Date.now() - sinceMs)
    if (why === null) continue
    console.error(`\n${relative(process.cwd(), file)}: stopped, for ${why}\n`)
    child.kill('SIGKILL')
  }
}

function reasonToStop(child, tookMs) {
  if (tookMs > WHOLE_FILE_MS) return `it took longer than ${WHOLE_FILE_MS / 60_000} min`
  if (tookMs <= FIRST_TEST_MS || (hasTold.get(child) ?? true)) return null
  return `its module began no test within ${FIRST_TEST_MS / 1_000} s: something at its top level hangs`
}
