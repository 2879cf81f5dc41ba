/** Activity of a person, newest first: days, the sessions of each, and the time that passed between them. */
import type { PersonItem } from '@errata/server/queries'
import { versionOf } from '#parts/release-text.ts'
import { useRowKeys } from '#parts/use-row-keys.ts'
import { quantityText } from '#ui/number-text.ts'
import { useZone } from '#ui/time.tsx'
import { clockText, dateText, durationText, exactText, isoText, type Zone } from '#ui/time-text.ts'
import type { PersonData } from './people.server.ts'
import { LANES } from './person-marks.tsx'
import { PersonRun } from './person-row.tsx'
import { type PersonSession, type Placed, runsOf } from './sessions.ts'

const DAY_MS = 86_400_000

export function PersonSessions(props: {
  readonly data: PersonData
  readonly sessions: readonly PersonSession[]
  readonly placed: ReadonlyMap<PersonItem, Placed>
}) {
  const { data, sessions, placed } = props
  const zone = useZone()
  const list = useRowKeys()
  const days = Map.groupBy(sessions, ({ startMs }) => dateText(startMs, zone))
  return (
    <div ref={list}>
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h3 className="sticky top-0 z-1 border-b bg-canvas py-1.5 text-13 font-strong">
            {dayText(ofDay[0]?.startMs ?? 0, data.nowMs, zone)}
          </h3>
          {ofDay.map((session) => (
            <Session
              key={session.startMs}
              {...{ session, data, placed }}
              before={sessions[sessions.indexOf(session) + 1]}
            />
          ))}
        </section>
      ))}
    </div>
  )
}

function dayText(atMs: number, nowMs: number, zone: Zone): string {
  const date = dateText(atMs, zone)
  if (date === dateText(nowMs, zone)) return `Today, ${date}`
  if (date === dateText(nowMs - DAY_MS, zone)) return `Yesterday, ${date}`
  const timeZone = zone === 'utc' ? { timeZone: 'UTC' } : {}
  return `${new Date(atMs).toLocaleDateString('en-GB', { weekday: 'long', ...timeZone })}, ${date}`
}

function Session(props: {
  readonly session: PersonSession
  /** That before it in time, which is the next in the list. */
  readonly before: PersonSession | undefined
  readonly data: PersonData
  readonly placed: ReadonlyMap<PersonItem, Placed>
}) {
  const { session, before, data, placed } = props
  const runs = runsOf(session.items.flatMap((item) => placed.get(item) ?? []))
  return (
    <>
      <section className="py-3">
        <SessionHead session={session} />
        <ol>
          {runs.map((run) => (
            <PersonRun key={run[0].id} {...{ run, data }} />
          ))}
        </ol>
      </section>
      {before === undefined ? null : (
        <p className="num flex items-center gap-3 pb-2 text-12 text-ink-3 before:w-4 before:border-t before:border-dashed">
          {durationText(session.startMs - before.endMs)} without activity
        </p>
      )}
    </>
  )
}

function SessionHead({ session }: { readonly session: PersonSession }) {
  const zone = useZone()
  const { startMs, endMs, items, releases, devices } = session
  const counts = LANES.flatMap(({ kind, one }) => {
    const count = items.filter((item) => item.kind === kind).length
    return count === 0 ? [] : [{ kind, text: quantityText(count, one) }]
  })
  return (
    <div className="mb-1 flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
      <h4 className="num text-13 font-strong">
        <time dateTime={isoText(startMs)} title={exactText(startMs, zone)}>
          {clockText(startMs, zone)}
        </time>
        {endMs - startMs < 1_000 ? '' : `, ${durationText(endMs - startMs)}`}
      </h4>
      <span className="text-12 text-ink-2">
        {counts.map(({ kind, text }, index) => (
          <span key={kind} className={kind === 'error' ? 'text-bad' : undefined}>
            {index === 0 ? '' : ', '}
            {text}
          </span>
        ))}
      </span>
      <span className="foreign text-12 text-ink-3">
        {[...devices.slice(0, 2), ...releases.slice(0, 2).map(versionOf)].join(' · ')}
        {releases.length > 2 ? `, ${quantityText(releases.length - 2, 'other release')}` : ''}
      </span>
    </div>
  )
}
