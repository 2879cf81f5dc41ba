import type { DigestLookup } from '@errata/server/queries'
import { KindBadge, KindBadges, StateChip } from '#parts/issue-marks.tsx'
import { titleParts } from '#parts/issue-title.ts'
import { paths } from '#parts/paths.ts'
import { framePlace, isJavaScript, type StackFrame, sourceLines } from '#parts/stack-frame.ts'
import { buttonClass } from '#ui/button.tsx'
import { CodeBlock } from '#ui/code-block.tsx'
import { DigestChip } from '#ui/digest-chip.tsx'
import { LevelMark } from '#ui/level-mark.tsx'
import { numberText } from '#ui/number-text.ts'
import { Table, tableNum } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { PageLink } from '#wire/page-link.tsx'

type Found = Extract<DigestLookup['answers'][number], { seen: true }>
type Match = Found['matches'][number]

/** A number with what it stands for: one exception, its line of code, and the builds that showed it. */
export function FoundDigest({
  answer,
  elapsedMs,
}: {
  readonly answer: Found
  readonly elapsedMs: number | null
}) {
  const byIssue = new Map<string, Match[]>()
  for (const match of answer.matches) {
    const key = `${match.organisation}/${match.issue.shortId}`
    byIssue.set(key, [...(byIssue.get(key) ?? []), match])
  }
  const issues = [...byIssue.values()]
  // A mirror stands here only while no server event with the number has arrived.
  const isMirrorOnly = answer.matches.every(({ count, mirrorCount }) => mirrorCount >= count)
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <DigestChip digest={answer.digest} />
        <span className="text-14 text-ink-2">
          {isMirrorOnly
            ? 'was seen in the browser only; the server’s event has not arrived:'
            : issues.length > 1
              ? `leads to ${numberText(issues.length)} exceptions on the server:`
              : 'is this exception on the server:'}
        </span>
        {elapsedMs === null ? null : (
          <span className="num ms-auto text-12 text-ink-3">
            answered in {elapsedMs < 1 ? '< 1' : numberText(Math.round(elapsedMs))} ms
          </span>
        )}
      </div>
      {issues.map((matches, index) => (
        <FoundIssue
          key={matches[0]?.issueId}
          matches={matches}
          event={index === 0 ? answer.event : null}
          isMain={index === 0}
        />
      ))}
    </>
  )
}

function FoundIssue(props: {
  readonly matches: readonly Match[]
  readonly event: Found['event']
  readonly isMain: boolean
}) {
  const { matches, event } = props
  const [first] = matches
  if (first === undefined) return null
  const { issue, organisation } = first
  const { type, message } = titleParts(issue)
  const to = paths.issue(organisation, issue.shortId)
  const newest = [...matches].sort((a, b) => b.lastSeenMs - a.lastSeenMs)[0] ?? first
  return (
    <article className="mt-6 ps-6.5 max-phone:ps-0">
      <h2 className="relative text-20 font-normal">
        <span className="absolute -start-6.5 top-1.5 max-phone:hidden">
          <LevelMark level={issue.level} />
        </span>
        <PageLink to={to} className="foreign line-clamp-3">
          <b className="font-strong">{type} </b>
          {message}
        </PageLink>
      </h2>
      <div className="mt-2 flex flex-wrap items-center gap-2 text-12">
        <KindBadges kinds={issue.kinds} />
        {issue.route === null ? null : <code className="foreign text-ink-2">{issue.route}</code>}
        <PageLink to={to} className="link link-alone text-13">
          {issue.shortId}
        </PageLink>
        <StateChip issue={issue} />
      </div>
      <FailingLine event={event} />
      <div className="mt-4 flex flex-wrap gap-2">
        <PageLink
          to={to}
          prefetch
          className={buttonClass(props.isMain ? 'primary' : 'plain', 'normal', 'touch')}
        >
          Open the issue
        </PageLink>
        <PageLink
          to={paths.issueEvent(organisation, issue.shortId, newest.eventId)}
          className={buttonClass('plain', 'normal', 'touch')}
        >
          Newest event with this digest
        </PageLink>
        {event?.row.traceId == null ? null : (
          <PageLink
            to={paths.trace(organisation, event.row.traceId, { near: Math.round(event.row.timestampMs) })}
            className={buttonClass('plain', 'normal', 'touch')}
          >
            Its trace
          </PageLink>
        )}
      </div>
      <Builds matches={matches} />
    </article>
  )
}

/** The newest frame of the app, with one line around the failing one. */
function FailingLine({ event }: { readonly event: Found['event'] }) {
  const frames = event?.event.exception?.values.at(-1)?.stacktrace?.frames ?? []
  const frame: StackFrame | undefined = frames.findLast((one) => one.in_app === true) ?? frames.at(-1)
  if (event === null || frame === undefined) return null
  const { file, position } = framePlace(frame)
  const lines = sourceLines(frame)
  const marked = lines.findIndex((line) => line.marked)
  const { release, environment } = event.row
  return (
    <div className="mt-4 overflow-hidden rounded-field border">
      <div className="flex flex-wrap justify-between gap-x-4 px-3 py-1.5 text-12">
        <code className="foreign min-w-0">
          <b className="font-strong">{frame.function ?? '<anonymous>'}</b>{' '}
          <span className="text-ink-2">{file}</span>
          <span className="text-ink-3">{position}</span>
        </code>
        <span className="foreign text-ink-3">
          {[release, environment].filter((one) => one !== null).join(', ')}
        </span>
      </div>
      {lines.length === 0 ? null : (
        <div className="border-t">
          <CodeBlock
            label="The failing line"
            lines={lines.slice(Math.max(0, marked - 1), marked + 2)}
            column={frame.colno}
            highlights={isJavaScript(frame, event.event.platform ?? '')}
          />
        </div>
      )}
    </div>
  )
}

function Builds({ matches }: { readonly matches: readonly Match[] }) {
  const onServer = matches.reduce((sum, match) => sum + match.count - match.mirrorCount, 0)
  const mirrored = matches.reduce((sum, match) => sum + match.mirrorCount + match.foldedMirrors, 0)
  return (
    <>
      <h3 className="mt-8 mb-2 text-13 font-strong">
        Events with this digest{' '}
        <span className="num ms-1 text-12 font-normal text-ink-3">
          {numberText(onServer)} on the server
          {mirrored === 0 ? '' : `, ${numberText(mirrored)} from browser copies`}
        </span>
      </h3>
      <Table
        caption={`Builds of ${matches[0]?.issue.shortId ?? 'the issue'} that showed this digest`}
        className="max-phone:block"
      >
        <thead className="max-phone:sr-only">
          <tr>
            <th scope="col">Build</th>
            <th scope="col">Environment</th>
            <th scope="col">Route</th>
            <th scope="col">Request kind</th>
            <th scope="col" className={tableNum}>
              Last seen
            </th>
            <th scope="col" className={tableNum}>
              Events
            </th>
          </tr>
        </thead>
        <tbody className="max-phone:block">
          {matches.map((match) => (
            <BuildRow
              key={`${match.release} ${match.environment} ${match.requestKind} ${match.route} ${match.groupHash}`}
              match={match}
            />
          ))}
        </tbody>
      </Table>
    </>
  )
}

const CELL = 'max-phone:h-auto max-phone:border-0 max-phone:p-0'

/** Row of a build; on a phone two lines, with the build and its events in the first. */
function BuildRow({ match }: { readonly match: Match }) {
  return (
    <tr className="relative max-phone:flex max-phone:flex-wrap max-phone:items-baseline max-phone:gap-x-3 max-phone:border-b max-phone:py-2">
      <td className={`${CELL} max-w-44 max-phone:w-[calc(100%-8rem)] max-phone:max-w-none`}>
        <PageLink
          className="link foreign block truncate after:absolute after:inset-0"
          to={paths.issueEvent(match.organisation, match.issue.shortId, match.eventId)}
        >
          {match.release ?? 'no release'}
        </PageLink>
      </td>
      <td className={`${CELL} max-phone:order-2`}>
        {match.environment ?? <span className="text-ink-3">–</span>}
      </td>
      <td className={`${CELL} max-w-40 max-phone:order-2`}>
        <code className="foreign block truncate text-12 text-ink-2">{match.route ?? '–'}</code>
      </td>
      <td className={`${CELL} max-phone:order-2`}>
        <KindBadge kind={match.requestKind} />
      </td>
      <td className={`${CELL} ${tableNum} max-phone:order-3 max-phone:ms-auto max-phone:text-ink-3`}>
        <Time ms={match.lastSeenMs} />
      </td>
      <td className={`${CELL} ${tableNum} max-phone:order-1 max-phone:w-28`}>
        {numberText(match.count)}
        <span className="text-ink-3 phone:hidden"> {match.count === 1 ? 'event' : 'events'}</span>
      </td>
    </tr>
  )
}
