/**
 * Groups of what was thrown and is no error. Server, error boundary and browser report one throw each with a stack of
 * their own: what it says is what they have in common.
 */
import { groupEvent } from '#group/group.ts'
import type { Grouping, GroupingComponent, ScrubbedEvent } from '#model/event.ts'
import { requestPlace } from './request-kind.ts'
import { type ThrownResponse, thrownValue } from './thrown-value.ts'

const NOTE: GroupingComponent = {
  name: 'frame',
  value: 'stack trace of the report',
  note: 'ignored because what was thrown is no error and has no stack trace of its own',
  contributes: false,
}

/**
 * Groups a thrown value that is no error. `null` for anything else. Of a mirror, and where an SDK or a rule said what
 * the group is, `grouping` stays.
 */
export function groupThrown(event: ScrubbedEvent, grouping: Grouping): Grouping | null {
  if (grouping.mirror !== undefined || (event.fingerprint?.length ?? 0) > 0) return null
  const thrown = thrownValue(event)
  if (thrown === null) return null
  if (thrown.kind === 'response') return byResponse(event, thrown.response)
  return thrown.isFromApp ? byTextAndStack(event, thrown.text) : byText(event, thrown.text)
}

/** The text of an answer is often of one request. */
function byResponse(event: ScrubbedEvent, { status }: ThrownResponse): Grouping {
  const parts = [
    { value: requestPlace(event).route, note: 'route: an answer was thrown' },
    { value: String(status), note: 'status of the answer' },
  ]
  return groupEvent(event, { by: { name: 'exception', parts } })
}

/** Two captures of one text are two places. */
function byTextAndStack(event: ScrubbedEvent, text: string): Grouping {
  const values = (event.exception?.values ?? []).map((exception) => ({ ...exception, value: text }))
  return groupEvent({ ...event, exception: { values } })
}

/**
 * Groups an exception without a stack as version 1 does: the hash of the browser's half stays what it was.
 */
function byText(event: ScrubbedEvent, text: string): Grouping | null {
  const { threads: _threads, stacktrace: _stacktrace, ...rest } = event
  const values = [{ type: 'Error', value: text, mechanism: { type: 'generic', synthetic: true } }]
  const grouping = groupEvent({ ...rest, exception: { values } })
  if (grouping.mirror !== undefined) return null
  return {
    ...grouping,
    get explanation() {
      return [...grouping.explanation, NOTE]
    },
  }
}
