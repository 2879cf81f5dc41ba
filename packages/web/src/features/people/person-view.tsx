/** Page of one affected person: everything they met in the projects that the viewer may read, on one axis. */
import { useCan } from '#parts/frame-data.ts'
import { PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { nameParts } from '#parts/person-name.ts'
import { Readable } from '#parts/readable.tsx'
import { versionOf } from '#parts/release-text.ts'
import { tokenText } from '#parts/search-token.ts'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icons.tsx'
import { Menu, menuItem } from '#ui/menu.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData, useUnread } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { peoplePaths } from './paths.ts'
import type { loadPerson, PersonData } from './people.server.ts'
import { PersonAxis } from './person-axis.tsx'
import { DeletePerson } from './person-delete.tsx'
import { PersonIssues } from './person-issues.tsx'
import { type ItemKind, LANES } from './person-marks.tsx'
import { PersonSessions } from './person-sessions.tsx'
import { PersonSide } from './person-side.tsx'
import { calledName, dataText } from './person-text.ts'
import { splitIntoSessions } from './sessions.ts'

export function PersonPage() {
  const data = usePageData<typeof loadPerson>()
  const isNobody = data.events + data.traces + data.others === 0
  return (
    <div className="p-6 max-phone:p-4">
      <Head data={data} />
      <Readable part="person" what="This person">
        {isNobody ? (
          <Nothing data={data} />
        ) : (
          <div className="wide:grid wide:grid-cols-[minmax(0,1fr)_300px] wide:gap-8">
            <div className="min-w-0">
              <PersonIssues data={data} />
              <Timeline data={data} />
            </div>
            <aside aria-label="About this person" className="wide:border-s wide:ps-6">
              <PersonSide data={data} />
            </aside>
          </div>
        )}
      </Readable>
    </div>
  )
}

function Head({ data }: { readonly data: PersonData }) {
  const { org, key, lastMs, file } = data
  const isRead = useUnread('person') === null
  // What would go is not known where it could not be read.
  const mayDelete = useCan('person.delete') && isRead
  const { kind, name } = nameParts(key)
  const what = dataText({ ...data, projects: data.projectSums, issues: data.issues.length })
  const whole = peoplePaths.personFileOfOrg(org, { ...file, format: 'jsonl' })
  return (
    <PageHead
      title={calledName(data)}
      crumbs={[
        { text: 'People', path: paths.people(org) },
        ...(kind === '' ? [] : [{ text: calledName(data) === name ? kind : `${kind} ${name}` }]),
      ]}
      end={
        mayDelete ? (
          <div className="flex flex-wrap gap-2">
            {what === 'nothing' ? null : (
              <span className="split">
                <a className="btn touch" href={whole} download>
                  Export data
                </a>
                <Menu className="btn btn-icon touch" name="Export data as…" label="" align="end">
                  <a className={menuItem} href={whole} download>
                    JSON lines: as stored
                  </a>
                  <a
                    className={menuItem}
                    href={peoplePaths.personFileOfOrg(org, { ...file, format: 'csv' })}
                    download
                  >
                    CSV: what lists show
                  </a>
                </Menu>
              </span>
            )}
            <DeletePerson name={name} what={what} data={data} file={whole} />
          </div>
        ) : undefined
      }
    >
      {what === 'nothing' ? undefined : (
        <>
          {what.charAt(0).toUpperCase() + what.slice(1)}
          {lastMs === null ? null : (
            <>
              , last seen <Time ms={lastMs} />
            </>
          )}
          . <LastError data={data} />
        </>
      )}
    </PageHead>
  )
}

/** Begins with what somebody asks first: what went wrong last, when, and with what. */
function LastError({ data: { org, items, beforeMs } }: { readonly data: PersonData }) {
  const error = items.find(({ kind }) => kind === 'error')
  if (error === undefined || beforeMs !== null) return null
  const { issue, text, device, release } = error
  const within = [device, release === null ? null : `release ${versionOf(release)}`].filter(
    (part) => part !== null,
  )
  return (
    <>
      Last error <Time ms={error.atMs} />:{' '}
      {issue === null ? (
        <span className="foreign">{text}</span>
      ) : (
        <PageLink
          className="foreign link font-strong wrap-anywhere"
          to={paths.issueEvent(org, issue.shortId, issue.eventId)}
        >
          {text}
        </PageLink>
      )}
      {within.length === 0 ? '' : <span className="foreign"> on {within.join(', ')}</span>}.
    </>
  )
}

function Timeline({ data }: { readonly data: PersonData }) {
  const { items, kind } = data
  const shown = kind === null ? items : items.filter((item) => item.kind === kind)
  const sessions = splitIntoSessions(shown)
  const all = shown.map((item, index) => ({ item, id: `at-${index}` }))
  const placed = new Map(all.map((one) => [one.item, one]))
  return (
    <>
      <Section title="Timeline" note={<TimelineNote data={data} count={shown.length} />}>
        <PersonAxis placed={all} sessions={sessions} />
      </Section>
      <KindFilter data={data} />
      {shown.length === 0 ? (
        <p className="py-6 text-13 text-ink-2">
          None among the entries listed{data.nextBeforeMs === null ? '.' : '; older ones may have some.'}
        </p>
      ) : (
        <PersonSessions {...{ data, sessions, placed }} />
      )}
      <TimelineFoot data={data} />
    </>
  )
}

function TimelineNote({
  data: { beforeMs, crumbs },
  count,
}: {
  readonly data: PersonData
  readonly count: number
}) {
  return (
    <>
      {quantityText(count, 'entry', 'entries')}
      {beforeMs === null ? '' : ', older ones'}. A session ends after 30 min without activity; gaps are
      folded.
      {crumbs.read < crumbs.errors && crumbs.read > 0
        ? ` Clicks are those before the newest ${numberText(crumbs.read)} errors.`
        : ''}
    </>
  )
}

/** Kinds as links: of errors all are counted, of the rest those that are listed. */
function KindFilter({ data }: { readonly data: PersonData }) {
  const { org, key, kind, items, events } = data
  const countOf = (of: ItemKind) => {
    if (of === 'error') return events
    return kind === 'error' ? null : items.filter((item) => item.kind === of).length
  }
  const kinds = LANES.map((lane) => ({ ...lane, count: countOf(lane.kind) })).filter(
    (lane) => lane.kind === kind || lane.count !== 0,
  )
  return (
    <nav aria-label="Kinds of entries" className="mb-3 flex flex-wrap gap-1.5">
      <PageLink
        className={buttonClass('plain', 'small', 'touch aria-[current]:bg-select')}
        to={paths.person(org, key)}
        aria-current={kind === null ? 'true' : undefined}
      >
        All
      </PageLink>
      {kinds.map((lane) => (
        <PageLink
          key={lane.kind}
          className={buttonClass('plain', 'small', 'touch aria-[current]:bg-select')}
          to={paths.person(org, key, { kind: lane.kind })}
          aria-current={lane.kind === kind ? 'true' : undefined}
        >
          {lane.name}
          {lane.count === null ? null : <span className="num text-ink-3">{numberText(lane.count)}</span>}
        </PageLink>
      ))}
    </nav>
  )
}

function TimelineFoot({ data }: { readonly data: PersonData }) {
  const { org, key, kind, beforeMs, nextBeforeMs, events, traces, isTracesBounded } = data
  const query = tokenText({ key: 'user', value: key, negated: false })
  return (
    <footer className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t py-3 text-12 text-ink-2">
      {beforeMs === null ? null : (
        <PageLink className={buttonClass('plain', 'small', 'touch')} to={paths.person(org, key, { kind })}>
          Newest
        </PageLink>
      )}
      {nextBeforeMs === null ? null : (
        <PageLink
          className={buttonClass('plain', 'small', 'touch')}
          rel="next"
          to={paths.person(org, key, { kind, before: nextBeforeMs })}
        >
          Older
          <Icon name="chevron-right" size={14} />
        </PageLink>
      )}
      {events === 0 ? null : (
        <PageLink className="link" to={paths.issues(org, { query, status: 'all' })}>
          Issues of all {quantityText(events, 'event')}
        </PageLink>
      )}
      {traces === 0 ? null : (
        <PageLink className="link" to={paths.traces(org, { query, range: '14d' })}>
          {isTracesBounded ? 'Traces' : `All ${quantityText(traces, 'trace')}`}
        </PageLink>
      )}
    </footer>
  )
}

function Nothing({ data: { org, key } }: { readonly data: PersonData }) {
  const { name } = nameParts(key)
  return (
    <Empty
      title="No data about this person"
      next={
        <PageLink className={buttonClass()} to={paths.people(org, { query: name.slice(0, 100) })}>
          Search for “{name.slice(0, 40)}”
        </PageLink>
      }
    >
      No event or request in your projects names this person. Data that was deleted or is past its retention
      is not shown.
    </Empty>
  )
}
