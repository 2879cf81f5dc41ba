/** All that is listed on one time axis: a lane a kind, sessions above, releases below. The list says it in words. */
import { versionOf } from '#parts/release-text.ts'
import { useZone } from '#ui/time.tsx'
import { dateText, durationText, hourText, type Zone } from '#ui/time-text.ts'
import { AxisCursor } from './axis-cursor.tsx'
import { type AxisPart, foldGaps, placeOnParts } from './axis-places.ts'
import { itemText, LANES, LaneMark } from './person-marks.tsx'
import type { PersonSession, Placed } from './sessions.ts'

const LANE = 22
/** Percent between names of times; on a phone, what is nearer than this is left out. */
const NAMES_APART = 8
const NAMES_APART_ON_PHONES = 22

export function PersonAxis(props: {
  readonly placed: readonly Placed[]
  readonly sessions: readonly PersonSession[]
}) {
  const { placed, sessions } = props
  const zone = useZone()
  if (placed.length === 0) return null
  const parts = foldGaps(sessions)
  const partOf = (atMs: number) => placeOnParts(parts, atMs)
  const lanes = LANES.filter(({ kind }) => placed.some(({ item }) => item.kind === kind))
  const releases = releaseSpans(placed)
  return (
    <div className="relative">
      <div className="grid grid-cols-[5.75rem_minmax(0,1fr)] text-12" aria-hidden="true">
        <Label>Sessions</Label>
        <Lane>
          {parts.map(({ startMs, from, to }) => (
            <rect
              key={startMs}
              x={`${from}%`}
              y="6"
              width={`${to - from}%`}
              height="10"
              rx="2"
              className="fill-bar-2"
            />
          ))}
          <Folds parts={parts} />
        </Lane>
        {lanes.map(({ kind, name }) => (
          <Marks
            key={kind}
            {...{ name, parts, zone, partOf }}
            placed={placed.filter(({ item }) => item.kind === kind)}
          />
        ))}
        {releases.length === 0 ? null : (
          <>
            <Label>Release</Label>
            <Lane>
              {releases.map(({ release, startMs, endMs }, index) => (
                <rect
                  key={`${release}${startMs}`}
                  x={`${partOf(startMs)}%`}
                  y="8"
                  width={`${Math.max(0.6, partOf(endMs) - partOf(startMs))}%`}
                  height="6"
                  className={index % 2 === 0 ? 'fill-span-db' : 'fill-bar-2'}
                >
                  <title>{versionOf(release)}</title>
                </rect>
              ))}
            </Lane>
          </>
        )}
        <span />
        <Names {...{ parts, zone }} />
      </div>
      <AxisCursor places={placed.map(({ item }) => partOf(item.atMs))} {...{ placed, zone }} />
    </div>
  )
}

function Marks(props: {
  readonly name: string
  readonly placed: readonly Placed[]
  readonly parts: readonly AxisPart[]
  readonly zone: Zone
  readonly partOf: (atMs: number) => number
}) {
  const { name, placed, parts, zone, partOf } = props
  return (
    <>
      <Label>{name}</Label>
      <Lane>
        <DayLines {...{ parts, zone }} />
        {placed.map(({ item, id }) => (
          <a key={id} href={`#${id}`} tabIndex={-1}>
            <title>{itemText(item)}</title>
            <LaneMark item={item} place={partOf(item.atMs)} />
          </a>
        ))}
      </Lane>
    </>
  )
}

/** Time between two sessions, of which no more than this is drawn. */
function Folds({ parts }: { readonly parts: readonly AxisPart[] }) {
  return parts.slice(1).map((part, index) => {
    const before = parts[index]
    if (before === undefined) return null
    return (
      <line
        key={part.startMs}
        x1={`${before.to}%`}
        x2={`${part.from}%`}
        y1="11"
        y2="11"
        strokeDasharray="2 2"
        className="stroke-control"
      >
        <title>{`${durationText(part.startMs - before.endMs)} without activity`}</title>
      </line>
    )
  })
}

function DayLines({ parts, zone }: { readonly parts: readonly AxisPart[]; readonly zone: Zone }) {
  return parts.map(({ startMs, from }, index) =>
    index > 0 && isNewDay(parts, index, zone) ? (
      <line key={startMs} x1={`${from}%`} x2={`${from}%`} y1="0" y2={LANE} className="stroke-line" />
    ) : null,
  )
}

/** Days where they begin, else the hours of sessions, as far as there is room. */
function Names({ parts, zone }: { readonly parts: readonly AxisPart[]; readonly zone: Zone }) {
  let last = Number.NEGATIVE_INFINITY
  let lastOnPhones = Number.NEGATIVE_INFINITY
  let day = ''
  return (
    <svg width="100%" height="19" aria-hidden="true" className="num block overflow-visible text-11">
      {parts.map(({ startMs, from }) => {
        const room = 100 - from
        if (from - last < NAMES_APART || room < NAMES_APART / 2) return null
        last = from
        const date = dateText(startMs, zone)
        const name = date === day ? hourText(startMs, zone) : date
        day = date
        const isOnPhones = from - lastOnPhones >= NAMES_APART_ON_PHONES && room >= NAMES_APART_ON_PHONES / 2
        if (isOnPhones) lastOnPhones = from
        return (
          <g key={startMs} className={isOnPhones ? undefined : 'max-phone:hidden'}>
            <line x1={`${from}%`} x2={`${from}%`} y1="0" y2="4" className="stroke-control" />
            <text x={`${from}%`} y="15" className="fill-ink-3">
              {name}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

function isNewDay(parts: readonly AxisPart[], index: number, zone: Zone): boolean {
  const [before, part] = [parts[index - 1], parts[index]]
  if (before === undefined || part === undefined) return true
  return dateText(before.startMs, zone) !== dateText(part.startMs, zone)
}

function Label({ children }: { readonly children: string }) {
  return <span className="flex h-5.5 items-center border-b text-ink-2">{children}</span>
}

function Lane({ children }: { readonly children: React.ReactNode }) {
  return (
    <svg width="100%" height={LANE} className="block overflow-visible border-b" aria-hidden="true">
      {children}
    </svg>
  )
}

/** Stretches in which the same release was met, oldest first. */
function releaseSpans(
  placed: readonly Placed[],
): readonly { readonly release: string; readonly startMs: number; readonly endMs: number }[] {
  const spans: { release: string; startMs: number; endMs: number }[] = []
  for (const { item } of placed.toReversed()) {
    if (item.release === null) continue
    const last = spans.at(-1)
    if (last?.release === item.release) last.endMs = Math.max(last.endMs, item.atMs)
    else spans.push({ release: item.release, startMs: item.atMs, endMs: item.atMs })
  }
  return spans
}
