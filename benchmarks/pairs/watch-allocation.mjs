// Loaded into a measured thread before its own code: sums up what V8 allocated between two collections.
import { GCProfiler, getHeapStatistics } from 'node:v8'
import { threadId } from 'node:worker_threads'

const channel = new BroadcastChannel(`errata-pairs-${threadId}`)
let profiler = null
let usedAtStart = 0

channel.onmessage = ({ data }) => {
  if (data === 'start') {
    profiler = new GCProfiler()
    profiler.start()
    usedAtStart = getHeapStatistics().used_heap_size
  } else if (data === 'stop' && profiler !== null) {
    const usedAtEnd = getHeapStatistics().used_heap_size
    const { statistics } = profiler.stop()
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
