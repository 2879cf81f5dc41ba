// Loaded into a measured thread before its own code: sums up what V8 allocated between two collections, and writes a
// profile of the same time where `--cpu-prof` names a folder (which makes all of it slower).
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join } from 'node:path'
import { GCProfiler, getHeapStatistics } from 'node:v8'
import { threadId } from 'node:worker_threads'

const channel = new BroadcastChannel(`errata-pairs-${threadId}`)
let profiler = null
let usedAtStart = 0
const profiles = process.env.ERRATA_PAIR_PROFILES ?? ''
const session = new Session()

function startProfile() {
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.setSamplingInterval', { interval: 200 })
  session.post('Profiler.start')
}

function writeProfile() {
  session.post('Profiler.stop', (_, { profile }) =>
    writeFileSync(join(profiles, `${threadId}.cpuprofile`), JSON.stringify(profile)),
  )
}

channel.onmessage = ({ data }) => {
  if (data === 'start') {
    profiler = new GCProfiler()
    profiler.start()
    if (profiles !== '') startProfile()
    usedAtStart = getHeapStatistics().used_heap_size
  } else if (data === 'stop' && profiler !== null) {
    const usedAtEnd = getHeapStatistics().used_heap_size
    const { statistics } = profiler.stop()
    if (profiles !== '') writeProfile()
    let allocated = 0
    let used = usedAtStart
    for (const { beforeGC, afterGC } of statistics) {
      allocated += beforeGC.heapStatistics.usedHeapSize - used
      used = afterGC.heapStatistics.usedHeapSize
    }
    channel.postMessage({ allocated: allocated + usedAtEnd - used, collections: statistics.length })
  }
}
channel.unref()
