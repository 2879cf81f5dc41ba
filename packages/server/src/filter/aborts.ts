/**
 * Requests and navigations that the visitor or the page itself ended. Only what engines and servers say of an abort alone:
 * a network that failed and a time that ran out read otherwise, and stay.
 */
import type { NormalizedEvent } from '#model/event.ts'
import { mainException } from '#model/main-exception.ts'

/** `AbortError` is also what a transaction of a database, a push service or a video may fail with. */
const ABORTED =
  /^(?:signal is aborted without reason|(?:The|This) (?:user aborted a request|operation was aborted)|Fetch is aborted|Request(?: was)? aborted|BodyStreamBuffer was aborted|The fetching process for the media resource was aborted|Navigation was aborted|Transition was (?:skipped|aborted))(?! due to)/i
const ABORT_TYPES = new Set(['AbortError', 'DOMException', 'UnhandledRejection', 'ResponseAborted'])
const PREFIX = /^(?:AbortError|DOMException): /
/** Calls in which Node ends a request whose client is gone. */
const NODE_CALLS = new Set([
  'abortIncoming',
  'connResetException',
  'IncomingMessage._destroy',
  'socketOnClose',
])

/** Texts of WebKit for a cancelled request, by its page or because that is left, in the system's language. */
const CANCELLED = new Set(['cancelled', 'annulé', 'Abgebrochen', 'cancelado', 'annullato', '취소됨'])
/** Axios, of the browser's own `abort` event, which comes to a request that its page leaves, and of a signal. */
const AXIOS: ReadonlyMap<string, string> = new Map([
  ['AxiosError', 'Request aborted'],
  ['CanceledError', 'canceled'],
])

/** Describes an abort without text of the event; `null` for a failure. */
export function abortIn(event: NormalizedEvent): string | null {
  const exception = mainException(event)
  if (exception === null) return null
  const { type = '', value = '' } = exception
  if (ABORT_TYPES.has(type)) {
    if (type === 'ResponseAborted') return 'a response that its client gave up'
    const isAbort = type === 'AbortError' || PREFIX.test(value)
    return isAbort && isAbortText(value.replace(PREFIX, '')) ? 'an aborted request' : null
  }
  if (event.platform === 'javascript' && isCancelled(type, value)) return 'a cancelled request'
  if (type !== 'Error' || (event.platform !== 'node' && event.platform !== 'javascript')) return null
  if (value === 'The destination stream closed early.') return 'a page that was left while it was rendered'
  const frames = exception.stacktrace?.frames ?? []
  const isNodes = frames.some(({ function: name }) => name !== undefined && NODE_CALLS.has(name))
  return value === 'aborted' && isNodes ? 'a request whose client disconnected' : null
}

function isCancelled(type: string, value: string): boolean {
  if (type === 'TypeError') return CANCELLED.has(value)
  return AXIOS.get(type) === value
}

/** Safari and old Firefox say no more than the type. */
function isAbortText(text: string): boolean {
  const plain = text.trim()
  return plain === '' || plain === 'AbortError' || plain === 'Aborted' || ABORTED.test(plain)
}
