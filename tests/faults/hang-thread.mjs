// Loaded into a running product with `--import`, and so into each of its threads: SIGUSR2 makes one of the threads that
// ERRATA_TEST_THREAD names run in circles, as a fault of its own would.
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads'

const channel = new BroadcastChannel('errata-test-hang')
if (isMainThread) {
  const threads = []
  process.on('worker', (worker) => threads.push(worker))
  process.on('SIGUSR2', () => {
    const worker = threads.find(({ threadName }) => threadName === process.env.ERRATA_TEST_THREAD)
    channel.postMessage(worker.threadId)
  })
} else {
  channel.onmessage = ({ data }) => {
    while (data === threadId);
  }
}
channel.unref()
