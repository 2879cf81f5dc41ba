/** All that is listed on one time axis: a lane a kind, sessions above, releases below. The list says it in words. */
import type { PersonItem } from '@errata/server/queries'
import { versionOf } from '#parts/release-text.ts'
import { TimeAxis } from '#ui/charts/time-axis.tsx'
import { useZone } from '#ui/time.tsx'
import { hourText } from '#ui/time-text.ts'
import { isBadItem, LANES } from './person-marks.tsx'
import type { PersonSession } from './sessions.ts'

const LANE = 22

export interface Placed {
  readonly item: PersonItem
  /** Id of its row. */
  readonly id: string
}

export function PersonAxis(props: {
  readonly placed: readonly Placed[]
  readonly sessions: readonly PersonSession[]
}) {
  const { placed, sessions } = props
  const zone = useZone()
  const times = placed.flatMap(({ item }) => [item.atMs, item.atMs + (item.durationMs ?? 0)])
  if (times.length === 0) return null
  const [first, last] = [Math.min(...times), Math.max(...times)]
  // A moment needs some width, and marks at the ends their own.
  const room = Math.max((last - first) * 0.01, 500)
  const span = { startMs: first - room, endMs: last + room }
  const partOf = (atMs: number) => ((atMs - span.startMs) / (span.endMs - span.startMs)) * 100
  const lanes = LANES.filter(({ kind }) => placed.some(({ item }) => item.kind === kind))
  const releases = releaseSpans(placed)
  return (
    <div className="grid grid-cols-[5.75rem_minmax(0,1fr)] text-12" aria-hidden="true">
      <Label>Sessions</Label>
      <Lane>
        {sessions.map(({ startMs, endMs }) => (
          <rect
            key={startMs}
            x={`${partOf(startMs)}%`}
            y="6"
            width={`${Math.max(0.3, partOf(endMs) - partOf(startMs))}%`}
            height="10"
            rx="2"
            className="fill-bar-2"
          />
        ))}
      </Lane>
      {lanes.map(({ kind, name }) => (
        <Marks
          key={kind}
          name={name}
          placed={placed.filter(({ item }) => item.kind === kind)}
          {...{ partOf }}
        />
      ))}
      {releases.length === 0 ? null : (
        <>
          <Label>Release</Label>
          <Lane>
            {releases.map(({ release, startMs, endMs }, index) => (
              <g key={`${release}${startMs}`}>
                <rect
                  x={`${partOf(startMs)}%`}
                  y="8"
                  width={`${Math.max(0.3, partOf(endMs) - partOf(startMs))}%`}
                  height="6"
                  className={index % 2 === 0 ? 'fill-span-db' : 'fill-bar-2'}
                />
                <title>{versionOf(release)}</title>
              </g>
            ))}
          </Lane>
        </>
      )}
      <span />
      {/* Its day may be named where it begins already. */}
      <TimeAxis {...span} endText={hourText(last, zone)} />
    </div>
  )
}

function Marks(props: {
  readonly name: string
  readonly placed: readonly Placed[]
  readonly partOf: (atMs: number) => number
}) {
  const { name, placed, partOf } = props
  return (
    <>
      <Label>{name}</Label>
      <Lane>
        {placed.map(({ item, id }) => {
          const [start, end] = [partOf(item.atMs), partOf(item.atMs + (item.durationMs ?? 0))]
          return (
            <a key={id} href={`#${id}`} tabIndex={-1}>
              <title>{item.text}</title>
              {end - start > 0.8 ? (
                <rect x={`${start}%`} y="7" width={`${end - start}%`} height="8" className={fill(item)} />
              ) : (
                <circle cx={`${start}%`} cy="11" r={item.kind === 'error' ? 4 : 3} className={fill(item)} />
              )}
            </a>
          )
        })}
      </Lane>
    </>
  )
}

function fill(item: PersonItem): string {
  return isBadItem(item) ? 'fill-bad-fill' : item.kind === 'click' ? 'fill-control' : 'fill-span-server'
}

function Label({ children }: { readonly children: string }) {
  return <span className="flex h-5.5 items-center border-b text-ink-2">{children}</span>
}

function Lane({ children }: { readonly children: React.ReactNode }) {
  return (
    <svg width="100%" height={LANE} className="block border-b" aria-hidden="true">
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
