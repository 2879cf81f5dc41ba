/** Breadcrumbs, oldest first. docs/wire.md, section "Breadcrumbs". */

import { max } from '#limits/limits.ts'
import type { Breadcrumb } from '#model/event.ts'
import { readBag } from './bag.ts'
import type { CleanMarks } from './clean-parts.ts'
import { readLevel } from './level.ts'
import type { Building, EventReader, RawObject } from './reader.ts'
import { type EventTimes, readCrumbTime } from './time.ts'

const CRUMBS = max('breadcrumbsMax')
const MESSAGE_CHARS = max('messageCharsMax')
const DATA_LIMITS = { depth: 6, bytes: max('contextBytesMax') }

/** Reads breadcrumbs; of too many the newest stay. */
export function readBreadcrumbs(
  reader: EventReader,
  value: unknown,
  times: EventTimes,
  clean?: CleanMarks,
): { readonly values: readonly Breadcrumb[] } | undefined {
  const all = reader.values(value, 'breadcrumbs')
  if (all.length === 0) return undefined
  const skipped = Math.max(0, all.length - CRUMBS)
  if (skipped > 0) reader.problem('breadcrumbs', 'too_many', `${all.length} breadcrumbs`)
  reader.enter('breadcrumbs')
  reader.enter('values')
  const values: Breadcrumb[] = []
  // Of another number: not each of them is a crumb.
  const verdicts = clean?.crumbs?.length === all.length ? clean.crumbs : null
  for (let at = skipped; at < all.length; at++) {
    const raw = all[at]
    if (raw === undefined || Object.keys(raw).length === 0) continue
    reader.enter(at)
    const crumb = readCrumb(reader, raw, times)
    if (verdicts?.[at] === 1 && isAsSent(crumb, raw)) clean?.objects.add(crumb)
    values.push(crumb)
    reader.leave()
  }
  reader.leave()
  reader.leave()
  return values.length === 0 ? undefined : { values }
}

/** Whether a crumb's texts are those that were sent, each whole. */
function isAsSent(crumb: Breadcrumb, raw: RawObject): boolean {
  return (
    (crumb.type === raw.type || raw.type === undefined) &&
    crumb.category === raw.category &&
    crumb.message === raw.message &&
    (crumb.data === undefined || crumb.data === raw.data)
  )
}

function readCrumb(reader: EventReader, raw: RawObject, times: EventTimes): Breadcrumb {
  const crumb: Building<Breadcrumb> = {
    type: reader.trimmed(raw.type, 'type', 64) ?? 'default',
    level: readLevel(reader, raw.level, 'info'),
  }
  const timestamp = readCrumbTime(reader, raw.timestamp, times)
  if (timestamp !== undefined) crumb.timestamp = timestamp
  const category = reader.trimmed(raw.category, 'category', 128)
  if (category !== undefined) crumb.category = category
  const message = reader.textOrJson(raw.message, 'message', MESSAGE_CHARS)
  if (message !== undefined) crumb.message = message
  const data = readBag(
    reader,
    typeof raw.data === 'string' ? { value: raw.data } : raw.data,
    'data',
    DATA_LIMITS,
  )
  if (data !== undefined && Object.keys(data).length > 0) crumb.data = data
  return crumb
}
