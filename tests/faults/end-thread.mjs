// Loaded into a running product with `--import`: SIGUSR2 ends the thread that ERRATA_TEST_THREAD names, as a fault of
// its own would.
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const threads = []
  process.on('worker', (worker) => threads.push(worker))
  process.on('SIGUSR2', () => {
    for (const worker of threads)
      if (worker.threadName === process.env.ERRATA_TEST_THREAD) void worker.terminate()
  })
}
