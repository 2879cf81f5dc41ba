/**
 * A page's request that a server failed to answer: what the browser throws then says nothing but that. Events of one
 * request are a group each, for each may be of another failure; those that are of none become one issue again.
 */
import { hash } from 'node:crypto'
import { groupHash } from '#base/ids.ts'
import type { Grouping, ScrubbedEvent } from '#model/event.ts'
import { answerOfKit } from '#model/thrown-answer.ts'

/** docs/wire.md, "Mirrors". A type may stand before it, as in a title. */
const FAILED_FETCH =
  /^(?:[A-Za-z]{0,24}Error: )?(?:HTTP Client Error with status code: 5\d\d|Request failed with status code 5\d\d|Failed to load static props|Unable to decode turbo-stream response|\[[A-Z]{3,7}\] "\/[^"]{0,2000}": 5\d\d)\b/
/** Text of Nuxt for errors that are not its own. */
const PASSED_ON = 'Server Error'
const TRACE_ID = /^[0-9a-f]{32}$/i

function isFailedFetch(text: string): boolean {
  return FAILED_FETCH.test(text)
}

/** True if the mirror's title may be of any request of the page. */
export function isOfAnyRequest(title: string): boolean {
  return isFailedFetch(title) || title === `Error: ${PASSED_ON}`
}

/**
 * SvelteKit answers with 200 where a remote function failed, or a promise that a page streams, and hands the page what
 * `error()` makes, or what the app’s `handleError` answered: here for what was unexpected.
 */
function isAnsweredFailure({ sdk, extra }: ScrubbedEvent): boolean {
  const thrown: unknown = extra?.__serialized__
  return (sdk?.name ?? '').includes('sveltekit') && (answerOfKit(thrown)?.status ?? 0) >= 500
}

/**
 * The status text that Nuxt answers of what was thrown, in an error that its page makes of it, on the server too: its own, or
 * the one that the app gave, which then is that of the answer, its cause.
 */
export function isPassedOn({ sdk, exception }: ScrubbedEvent): boolean {
  if (!(sdk?.name ?? '').includes('nuxt')) return false
  const values = exception?.values ?? []
  const [cause, made, ...others] = values
  const text = values.at(-1)?.value
  if (text === PASSED_ON) return true
  if (cause?.type !== 'FetchError' || made === undefined || others.length > 0 || text === undefined)
    return false
  return ANSWERED.exec(cause.value ?? '')?.[1] === text
}

/** `[GET] "/api/depots/4": 500 Depot broke`. */
const ANSWERED = /^\[[A-Z]{3,7}\] "[^"\n]{0,2000}": 5\d\d ([^\n]{1,500})$/

/**
 * TanStack Start sends the message of what a server threw, and the page makes an error of it: where it reads an answer, or in
 * a script of the document itself.
 */
function isRevived({ sdk, exception, request }: ScrubbedEvent): boolean {
  const [thrown, ...others] = exception?.values ?? []
  if (thrown?.type !== 'Error' || others.length > 0 || !(sdk?.name ?? '').includes('tanstackstart'))
    return false
  const frames = thrown.stacktrace?.frames ?? []
  if (REVIVER.test(frames.at(-1)?.function ?? '')) return true
  const page = addressWithoutQuery(request?.url ?? '')
  return (
    page !== '' &&
    frames.length > 0 &&
    frames.every(({ filename }) => addressWithoutQuery(filename ?? '') === page)
  )
}

/** Named by what it implements, which minifiers leave. */
const REVIVER = /(?:^|\.)deserialize$/

function addressWithoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '')
}

/**
 * Groups a browser's failed fetch with its trace, by which the server's half is found. `null` for anything else, and
 * without a trace to find the server's half by.
 */
export function failedFetch(event: ScrubbedEvent, grouping: Grouping): Grouping | null {
  const exception = event.exception?.values.at(-1)
  if (exception?.value === undefined || grouping.mirror !== undefined) return null
  const isOne =
    isPassedOn(event) ||
    (event.platform === 'javascript' &&
      (isFailedFetch(exception.value) || isAnsweredFailure(event) || isRevived(event)))
  if (!isOne) return null
  if ((event.fingerprint?.length ?? 0) > 0) return null
  const trace = event.contexts?.trace?.trace_id
  if (typeof trace !== 'string' || !TRACE_ID.test(trace)) return null
  const traceId = trace.toLowerCase()
  return {
    ...grouping,
    hash: groupHash(hash('sha1', `${grouping.hash} ${traceId}`).slice(0, 32)),
    explanation: [
      ...grouping.explanation,
      {
        name: 'mirror',
        value: traceId,
        note: 'trace: the server’s half of a failed request is looked for by it',
        contributes: true,
      },
    ],
    mirror: { traceId },
  }
}
