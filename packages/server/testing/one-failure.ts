/** Events as SDKs send them, in few words, and whether they become one issue. */
import assert from 'node:assert/strict'
import { recogniseEvent } from '#kinds/error/recognised.ts'
import { type EventTitle, eventTitle } from '#kinds/error/title.ts'
import type { ScrubbedEvent } from '#model/event.ts'
import { normalizeEvent } from '#normalize/normalize.ts'
import { aScrubbedEvent } from './builders/scrubbed-event.ts'

export type Raw = Readonly<Record<string, unknown>>

export const frame = (name: string, file: string, fields: Raw = {}): Raw => ({
  ...{ function: name, filename: file, abs_path: file, lineno: 7, colno: 3, in_app: true },
  ...fields,
})
export const library = (name: string, file: string): Raw => frame(name, file, { in_app: false })
export const thrown = (type: string, value: string, frames?: readonly Raw[], fields: Raw = {}): Raw => ({
  ...{ type, value },
  ...(frames === undefined ? {} : { stacktrace: { frames } }),
  ...fields,
})
export const event = (platform: string, exceptions: Raw | readonly Raw[], fields: Raw = {}): Raw => ({
  platform,
  exception: { values: Array.isArray(exceptions) ? exceptions : [exceptions] },
  ...fields,
})

/** Returns the title and culprit of a raw event in lists. */
export function titleAndCulprit(raw: Raw): Pick<EventTitle, 'title' | 'culprit'> {
  const event = scrubRaw(raw)
  return eventTitle(event, recogniseEvent(event).recognised)
}

function hashOf(raw: Raw): string {
  return recogniseEvent(scrubRaw(raw)).grouping.hash
}

function scrubRaw(raw: Raw): ScrubbedEvent {
  const answer = normalizeEvent(raw, {
    ...{ eventId: null, receivedMs: Date.now(), sentAt: null, clientAddress: null },
    ...{ userAgent: null, sdk: undefined, client: null },
  })
  assert.ok(answer.ok)
  return aScrubbedEvent(answer.event)
}

function explainRaws(raws: readonly Raw[]): string {
  return raws
    .map((raw) => {
      const answer = normalizeEvent(raw, {
        ...{ eventId: null, receivedMs: 0, sentAt: null, clientAddress: null },
        ...{ userAgent: null, sdk: undefined, client: null },
      })
      return answer.ok
        ? recogniseEvent(aScrubbedEvent(answer.event))
            .grouping.explanation.map(
              ({ contributes, name, value }) => `${contributes ? '+' : '-'} ${name} ${value}`,
            )
            .join('\n')
        : ''
    })
    .join('\n\n')
}

export function assertTogether(...raws: readonly Raw[]): void {
  assert.equal(new Set(raws.map(hashOf)).size, 1, explainRaws(raws))
}

export function assertApart(...raws: readonly Raw[]): void {
  assert.equal(new Set(raws.map(hashOf)).size, raws.length, explainRaws(raws))
}
