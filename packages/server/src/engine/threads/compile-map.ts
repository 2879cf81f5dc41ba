/** A thread of its own that makes one map ready after the other: what that takes in memory goes with it. */
import { parentPort } from 'node:worker_threads'
import { assert } from '#base/errors.ts'
import { compileMap } from '#symbolicate/compile/compile.ts'
import { sourceName } from '#symbolicate/paths.ts'
import type { CompileAnswer, CompileRequest } from './compile-thread.ts'

const port = parentPort
assert(port !== null, 'runs as a thread')
port.on('message', ({ map, minified, sources }: CompileRequest) => {
  try {
    const texts = new Map(sources)
    const compiled = compileMap({
      map,
      minified,
      sourceText: (source) => texts.get(sourceName(source)) ?? null,
    })
    port.postMessage({ compiled } satisfies CompileAnswer)
  } catch (cause) {
    port.postMessage({
      problem: cause instanceof Error ? cause.message : String(cause),
    } satisfies CompileAnswer)
  }
})
