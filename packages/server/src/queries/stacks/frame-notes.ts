/** Frames of an event that could not be resolved, each with the reason and the next step. */
import { isObject } from '#base/json.ts'
import type { Frame, Stacktrace } from '#model/event.ts'
import { debugIdOf, debugIdsOf } from '#symbolicate/debug-ids.ts'
import type { FrameNotes, UnresolvedNote } from '../stack-types.ts'
import type { StoredEvent } from '../types.ts'
import { isUnresolved, type UnresolvedPlace, unresolvedText } from './unresolved.ts'

export type NotePlace = Pick<UnresolvedPlace, 'url' | 'org' | 'project'>

const NOTES_MAX = 40

/** Nothing where every frame was resolved, or needed no map. */
export function frameNotes(event: StoredEvent, place: NotePlace): FrameNotes {
  const { release = null, dist = null } = event
  const ids = debugIdsOf(event.debug_meta)
  const found = new Map<string, { note: UnresolvedNote; at: number }>()
  const byFrame: Record<string, number> = {}
  for (const [path, frame] of eachFrame(event)) {
    const why = isObject(frame.data) ? frame.data.unresolved : undefined
    if (!isUnresolved(why)) continue
    const file = frame.abs_path ?? frame.filename ?? ''
    const key = JSON.stringify([why, file])
    const debugId = debugIdOf(ids, file)
    const known = found.get(key)
    if (known === undefined && found.size >= NOTES_MAX) continue
    const text = known?.note ?? unresolvedText(why, { ...place, release, dist, debugId, file })
    const at = known?.at ?? found.size
    found.set(key, { note: { ...text, file, debugId, frames: (known?.note.frames ?? 0) + 1 }, at })
    byFrame[path] = at
  }
  return { notes: [...found.values()].map(({ note }) => note), byFrame }
}

/** Frames as the event shows them, with their paths; those of the exceptions first. */
function* eachFrame(event: StoredEvent): Generator<readonly [path: string, frame: Frame]> {
  for (const [path, stack] of stacksOf(event)) {
    for (const [index, frame] of stack.frames.entries()) yield [`${path}.frames.${index}`, frame]
  }
}

export function stacksOf(event: StoredEvent): readonly (readonly [path: string, stack: Stacktrace])[] {
  const inValues = (name: 'exception' | 'threads') =>
    (event[name]?.values ?? []).flatMap(({ stacktrace }, index) =>
      stacktrace === undefined ? [] : [[`${name}.values.${index}.stacktrace`, stacktrace] as const],
    )
  const whole = event.stacktrace === undefined ? [] : [['stacktrace', event.stacktrace] as const]
  return [...inValues('exception'), ...whole, ...inValues('threads')]
}
