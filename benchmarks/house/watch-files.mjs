// Loaded into every thread of a measured Errata, before its own code: counts by V8's precise coverage in which files a
// function ran since it was last asked, and loads the web app from its sources, which Node alone cannot read.
import { subscribe } from 'node:diagnostics_channel'
import { Session } from 'node:inspector'
import { registerHooks } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread, threadId } from 'node:worker_threads'

const ROOT = new URL('../../', import.meta.url).href
const WEB = new URL('packages/web/src/shell/index.ts', ROOT).href
const THREAD = /\/engine\/threads\/(process|commit|read|verify|artifacts|compile-map)\.ts$/

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

let name = isMainThread ? 'main' : `thread ${threadId}`

/** Files of this repository in which a function ran; what runs when a module is loaded is none. */
function filesSinceLast() {
  let files = []
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    for (const { url } of result) if (!isMainThread) name = THREAD.exec(url)?.[1] ?? name
    files = result
      .filter(({ url }) => url.startsWith(ROOT) && !url.includes('/node_modules/'))
      .filter(({ functions }) => functions.some(ranIn))
      .map(({ url }) => url.slice(ROOT.length))
  })
  return files
}

/** A module's own code begins at its first character. */
function ranIn({ ranges: [whole] }) {
  return whole.count > 0 && whole.startOffset > 0
}

const channel = new BroadcastChannel('errata-walks')
channel.onmessage = ({ data }) => {
  if (data.ask !== undefined)
    channel.postMessage({ answers: data.ask, files: filesSinceLast(), name, threadId })
}
channel.unref()
// Published in the commit thread: what was sent is stored.
subscribe('errata.commit.step', (step) => {
  if (step === 'event-ids') channel.postMessage({ committed: true })
})

if (isMainThread) {
  const { transformSync } = await import('rolldown/experimental')
  registerHooks({
    resolve(specifier, context, next) {
      return next(specifier.endsWith('/dist/web/server.js') ? WEB : specifier, context)
    },
    load(url, context, next) {
      if (!url.endsWith('.tsx')) return next(url, context)
      const { source } = next(url, { ...context, format: 'module-typescript' })
      const path = fileURLToPath(url)
      const jsx = { runtime: 'automatic', importSource: '#jsx', development: false }
      const { code, errors } = transformSync(path, source.toString(), {
        lang: 'tsx',
        jsx,
        cwd: dirname(path),
      })
      if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`)
      return { format: 'module', source: code, shortCircuit: true }
    },
  })
  channel.addEventListener('message', ({ data }) => {
    if (data.committed === true) process.send?.({ committed: true })
  })
  let asked = 0
  process.on('message', async ({ threads }) => {
    const ask = ++asked
    const answers = [{ name, threadId, files: filesSinceLast() }]
    const { promise: all, resolve } = Promise.withResolvers()
    const collect = ({ data }) => {
      if (data.answers !== ask) return
      answers.push({ name: data.name, threadId: data.threadId, files: data.files })
      if (answers.length === threads) resolve()
    }
    channel.addEventListener('message', collect)
    const late = setTimeout(resolve, 2_000)
    channel.postMessage({ ask })
    await all
    clearTimeout(late)
    channel.removeEventListener('message', collect)
    process.send?.({ answers })
  })
}
