// Loaded into a running product with `--import`: calls between its threads that ERRATA_TEST_UNANSWERED matches (as
// `port.method`) never arrive, so that they take as long as a call may.
import { MessagePort } from 'node:worker_threads'

const unanswered = new RegExp(process.env.ERRATA_TEST_UNANSWERED ?? '^$')
const post = MessagePort.prototype.postMessage
MessagePort.prototype.postMessage = function postAnswered(message, ...rest) {
  const isCall = typeof message === 'object' && message !== null && 'call' in message
  if (isCall && unanswered.test(`${message.target}.${message.method}`)) return
  post.call(this, message, ...rest)
}
