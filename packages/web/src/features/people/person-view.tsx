/** Page of one affected person: everything they met in the projects that the viewer may read, on one axis. */
import { useCan } from '#parts/frame-data.ts'
import { titleParts } from '#parts/issue-title.ts'
import { PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { nameParts } from '#parts/person-name.ts'
import { Readable } from '#parts/readable.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icons.tsx'
import { LevelMark } from '#ui/level-mark.tsx'
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
import { PersonSessions } from './person-sessions.tsx'
import { PersonSide } from './person-side.tsx'
import { dataText } from './person-text.ts'
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
              <Timeline data={data} />
              <Issues data={data} />
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
      title={name}
      crumbs={[{ text: 'People', path: paths.people(org) }, ...(kind === '' ? [] : [{ text: kind }])]}
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
          .
        </>
      )}
    </PageHead>
  )
}

function Timeline({ data }: { readonly data: PersonData }) {
  const { org, key, items, beforeMs, nextBeforeMs } = data
  const sessions = splitIntoSessions(items)
  const all = items.map((item, index) => ({ item, id: `at-${index}` }))
  const placed = new Map(all.map((one) => [one.item, one]))
  return (
    <>
      <Section
        title="Timeline"
        note={
          <>
            {quantityText(items.length, 'entry', 'entries')}
            {beforeMs === null ? '' : ', older ones'}. A session ends after 30 min without activity.
          </>
        }
      >
        <PersonAxis placed={all} sessions={sessions} />
      </Section>
      <PersonSessions {...{ data, sessions, placed }} />
      <footer className="flex gap-2 border-t py-3">
        {beforeMs === null ? null : (
          <PageLink className={buttonClass('plain', 'small', 'touch')} to={paths.person(org, key)}>
            Newest
          </PageLink>
        )}
        {nextBeforeMs === null ? null : (
          <PageLink
            className={buttonClass('plain', 'small', 'touch')}
            rel="next"
            to={paths.person(org, key, { before: nextBeforeMs })}
          >
            Older
            <Icon name="chevron-right" size={14} />
          </PageLink>
        )}
      </footer>
    </>
  )
}

function Issues({ data: { org, issues, isIssuesBounded } }: { readonly data: PersonData }) {
  if (issues.length === 0) return null
  const count = numberText(issues.length)
  return (
    <Section title="Issues" note={isIssuesBounded ? `the newest ${count}` : count}>
      <ul>
        {issues.map((issue) => {
          const { type, message } = titleParts(issue)
          return (
            <li
              key={issue.id}
              className="grid min-h-9 grid-cols-[1rem_minmax(0,1fr)_auto] items-center gap-x-3 border-b text-13 max-phone:min-h-11"
            >
              <LevelMark level={issue.level} size={14} />
              <PageLink
                to={paths.issue(org, issue.shortId)}
                className="foreign min-w-0 truncate hover:underline max-phone:py-3"
              >
                <b className="font-strong">{type}</b> {message}
              </PageLink>
              <span className="flex items-center gap-4 text-12 text-ink-3">
                <span className="max-phone:hidden">{issue.shortId}</span>
                <span className="num">{quantityText(issue.events, 'event')}</span>
                <Time ms={issue.lastMs} form="age" className="w-14 text-end" />
              </span>
            </li>
          )
        })}
      </ul>
    </Section>
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
