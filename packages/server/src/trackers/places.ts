/**
 * Places where a tracker's token may read and write: those it was set up for, however far the token reaches.
 * Pure.
 */
import type { TrackerValues } from '#ports/trackers.ts'
import type { TrackerField, TrackerReply, TrackerType } from './tracker-type.ts'

const MORE = 'morePlaces'
const MORE_MAX = 20

/** The kind, held to the places that were set up. */
export function withinPlaces(type: TrackerType): TrackerType {
  const guarded = async (values: TrackerValues, ref: string, run: () => Promise<TrackerReply>) =>
    isWithin(values, ref) ? seenWithin(values, await run()) : outside(ref)
  return {
    ...type,
    fields: type.fields.flatMap((field) => (field.name === 'place' ? [field, moreOf(field)] : [field])),
    create: async (asked, draft) =>
      isPlace(asked.values, draft.place)
        ? seenWithin(asked.values, await type.create(asked, draft))
        : outside(`${draft.place}#`),
    read: (asked, ref) => guarded(asked.values, ref, () => type.read(asked, ref)),
    close: (asked, ref) => guarded(asked.values, ref, () => type.close(asked, ref)),
    refOf(values, url) {
      const ref = type.refOf(values, url)
      return ref !== null && isWithin(values, ref) ? ref : null
    },
    newsOf(values, body) {
      const remote = type.newsOf(values, body)
      return remote !== null && isWithin(values, remote.ref) ? remote : null
    },
  }
}

function moreOf({ pattern }: TrackerField): TrackerField {
  const source = pattern?.source ?? ''
  return {
    ...{
      name: MORE,
      label: 'Also in',
      isSecret: false,
      isRequired: false,
      check: 'text',
    },
    hint: 'Separated by commas. Issues can be created and linked there too; nowhere else.',
    pattern: {
      source: `(?:${source})(?:\\s{0,5},\\s{0,5}(?:${source})){0,${MORE_MAX}}`,
      rule: `${pattern?.rule ?? ''} At most ${MORE_MAX}, separated by commas.`.trim(),
    },
  }
}

/** `acme/shop` of `acme/shop#12`, `SHOP` of `SHOP-12`. */
function placeOfRef(ref: string): string {
  return ref.slice(0, Math.max(0, ref.includes('#') ? ref.lastIndexOf('#') : ref.lastIndexOf('-')))
}

/** Services take the names of places in any case. */
export function isPlace(values: TrackerValues, place: string): boolean {
  const all = [values.place ?? '', ...(values[MORE] ?? '').split(',')].map((each) =>
    each.trim().toLowerCase(),
  )
  return place !== '' && all.includes(place.toLowerCase())
}

export function isWithin(values: TrackerValues, ref: string): boolean {
  return isPlace(values, placeOfRef(ref))
}

function outside(ref: string): TrackerReply {
  const says = `It isn’t set up for ${placeOfRef(ref).slice(0, 200)}.`
  return { attempt: { outcome: 'refused', says } }
}

/** An issue that was moved elsewhere isn't there any more. */
function seenWithin(values: TrackerValues, reply: TrackerReply): TrackerReply {
  const { remote } = reply
  if (remote === undefined || remote === 'missing' || isWithin(values, remote.ref)) return reply
  return { ...reply, remote: 'missing' }
}
