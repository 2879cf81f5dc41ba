import type { ReactNode } from 'react'
import { crashFreeText } from '#parts/crash-free.ts'
import { useCan } from '#parts/frame-data.ts'
import { paths } from '#parts/paths.ts'
import { Readable } from '#parts/readable.tsx'
import { VITALS, VitalBar, VitalRating, vitalText } from '#parts/vital-marks.tsx'
import { Icon } from '#ui/icons.tsx'
import { LevelMark } from '#ui/level-mark.tsx'
import { countText, numberText, quantityText, shareText } from '#ui/number-text.ts'
import { SideSection } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { OverviewData } from './overview.server.ts'
import { overviewPaths } from './paths.ts'

/** Side column: vitals, alerts, sessions, stale tabs, other projects, usage. */
export function OverviewSide({ data }: { readonly data: OverviewData }) {
  return (
    <aside className={SIDE}>
      <Vitals data={data} />
      <Alerts data={data} />
      <Sessions data={data} />
      <OtherProjects data={data} />
      <Sent data={data} />
    </aside>
  )
}

const SIDE =
  'gap-x-12 px-5 max-wide:border-t max-wide:px-6 max-phone:px-4 phone:max-wide:columns-2 wide:border-s [&>section]:break-inside-avoid'

/** Side column of an overview without data: what became of all that was sent, and what can be done until then. */
export function EmptySide({ data: { sent, alerts, org, project } }: { readonly data: OverviewData }) {
  const [mayInvite, mayMake] = [useCan('member.write'), useCan('alert.write')]
  const seesAlerts = alerts !== null && (alerts.total > 0 || mayMake)
  return (
    <aside className={SIDE}>
      {sent === null ? null : (
        <SideSection
          title="Received"
          note={
            <PageLink
              to={paths.outcomes(org, { project: project?.slug ?? null, range: '24h' })}
              className="link"
            >
              Outcomes
            </PageLink>
          }
        >
          <p className="text-13 text-ink-2">
            {sent.total === 0
              ? 'Nothing in the last 24 hours, and nothing was refused.'
              : `${quantityText(sent.total, 'item')} in the last 24 hours, none stored: Outcomes says why.`}
          </p>
        </SideSection>
      )}
      {mayInvite || seesAlerts ? (
        <SideSection title="Meanwhile">
          <ul className="space-y-1.5 text-13">
            {mayInvite ? (
              <li>
                <PageLink to={paths.members(org)} className="link">
                  Invite a colleague
                </PageLink>
              </li>
            ) : null}
            {seesAlerts ? (
              <li>
                <PageLink to={paths.alerts(org, { project: project?.slug ?? null })} className="link">
                  {alerts.total === 0 ? 'Make an alert rule' : quantityText(alerts.total, 'alert rule')}
                </PageLink>
              </li>
            ) : null}
          </ul>
        </SideSection>
      ) : null}
    </aside>
  )
}

function Vitals({ data: { requests, org, project } }: { readonly data: OverviewData }) {
  if (requests === null || requests.vitals.length === 0) return null
  const { vitals, vitalBounds: bounds } = requests
  const most = Math.max(...vitals.map(({ count }) => count))
  return (
    <SideSection
      title="Web vitals"
      note={`p75 of ${requests.areVisitsEstimated ? '≈ ' : ''}${quantityText(Math.round(most), 'page load')}`}
    >
      <Readable part="requests" what="The page loads">
        <ul className="space-y-3">
          {vitals.map((figures) => {
            const { vital } = figures
            const name = VITALS.find(({ key }) => key === vital)?.name ?? vital
            return (
              <li key={vital} className="text-13">
                <div className="mb-1.5 flex items-baseline justify-between gap-2">
                  <PageLink
                    to={paths.vitals(org, { vital, project: project?.slug ?? null, range: '24h' })}
                    className="min-w-0 flex-1 first-letter:uppercase hover:underline"
                  >
                    {name}
                  </PageLink>
                  <span className="num font-strong">{vitalText(vital, figures.p75)}</span>
                  <VitalRating {...{ figures, bounds }} />
                </div>
                <VitalBar figures={figures} />
              </li>
            )
          })}
        </ul>
      </Readable>
    </SideSection>
  )
}

function Alerts({ data: { alerts, org, project } }: { readonly data: OverviewData }) {
  if (alerts === null) return null
  const rules = paths.alerts(org, { project: project?.slug ?? null })
  const quiet = alerts.total - alerts.firing.length - alerts.muted
  return (
    <SideSection
      title="Alerts"
      note={
        <PageLink to={rules} className="link">
          {quantityText(alerts.total, 'rule')} on
        </PageLink>
      }
    >
      <ul className="space-y-1.5 text-13">
        {alerts.firing.map(({ id, name, level, sinceMs, value }) => (
          <Line key={id} mark={<LevelMark level={level === 'critical' ? 'error' : 'warning'} size={14} />}>
            <PageLink
              to={paths.alertRule(org, id)}
              title={name}
              className="foreign min-w-0 flex-1 truncate hover:underline"
            >
              {name}
            </PageLink>
            {value === null ? (
              <Time ms={sinceMs} form="age" className="num text-12 text-ink-2" />
            ) : (
              <span
                className={`num text-12 font-strong whitespace-nowrap ${level === 'critical' ? 'text-bad' : 'text-warn'}`}
              >
                {value}
              </span>
            )}
          </Line>
        ))}
        {quiet === 0 && alerts.muted === 0 ? null : (
          <Line mark={<Icon name="check" size={14} className="shrink-0 text-ink-2" />}>
            <PageLink to={rules} className="hover:underline">
              {[`${numberText(quiet)} quiet`, alerts.muted === 0 ? '' : `${numberText(alerts.muted)} muted`]
                .filter((part) => part !== '')
                .join(', ')}
            </PageLink>
          </Line>
        )}
      </ul>
    </SideSection>
  )
}

function Line({ mark, children }: { readonly mark: ReactNode; readonly children: ReactNode }) {
  return (
    <li className="flex items-center gap-2">
      {mark}
      {children}
    </li>
  )
}

function Sessions({ data: { sessions, stale, org, project } }: { readonly data: OverviewData }) {
  if (sessions === null && stale === null) return null
  return (
    <SideSection title="Sessions" note="24 h">
      <dl className="grid grid-cols-[1fr_auto] gap-y-1.5 text-13">
        {sessions === null ? null : (
          <>
            {/* Leads nowhere: no other page has it of 24 hours. */}
            <dt>Crash-free</dt>
            <dd className="num text-end font-strong">{crashFreeText(sessions.crashFree)}</dd>
            <dt>Day before</dt>
            <dd className="num text-end text-ink-2">
              {sessions.before === null ? '–' : crashFreeText(sessions.before)}
            </dd>
            <dt>Users</dt>
            <dd className="num text-end">
              {countText(sessions.people, sessions.isExact ? 'exact' : 'approximate')}
            </dd>
          </>
        )}
        {stale === null ? null : (
          <>
            <dt>
              <PageLink
                to={paths.skew(org, { project: project?.slug ?? null, range: '24h' })}
                className="hover:underline"
              >
                Clicks in stale tabs
              </PageLink>
            </dt>
            <dd className="num text-end">{numberText(stale.clicks)}</dd>
          </>
        )}
      </dl>
    </SideSection>
  )
}

const STATES = {
  capped: 'capped by spike protection',
  growing: 'more errors than usual',
  silent: 'no events',
  limited: 'over its rate limit',
  steady: 'as usual',
  unread: 'quiet',
  waiting: 'no error yet',
}

function OtherProjects({ data: { others, org } }: { readonly data: OverviewData }) {
  if (others === null) return null
  return (
    <SideSection
      title="Projects"
      note={
        <PageLink to={paths.projects(org)} className="link">
          All {numberText(others.total)}
        </PageLink>
      }
    >
      <ul className="space-y-1.5 text-13">
        {others.shown.map(({ slug, name, state, lastEventMs }) => {
          const isWell = state === 'steady' || state === 'waiting' || state === 'unread'
          return (
            <Line
              key={slug}
              mark={
                isWell ? (
                  <Icon name="check" size={14} className="shrink-0 text-ink-2" />
                ) : (
                  <LevelMark level="warning" size={14} />
                )
              }
            >
              <PageLink
                to={overviewPaths.projectOverview(org, slug)}
                title={name}
                className="foreign min-w-0 flex-1 truncate hover:underline"
              >
                {name}
              </PageLink>
              <span className={`text-12 whitespace-nowrap ${isWell ? 'text-ink-3' : 'text-warn'}`}>
                {STATES[state]}
                {state === 'silent' && lastEventMs !== null ? (
                  <>
                    {' '}
                    for <Time ms={lastEventMs} form="age" />
                  </>
                ) : null}
              </span>
            </Line>
          )
        })}
      </ul>
    </SideSection>
  )
}

function Sent({ data: { sent, org, project } }: { readonly data: OverviewData }) {
  if (sent === null || sent.total === 0) return null
  return (
    <SideSection
      title="Usage"
      note={
        <PageLink to={paths.outcomes(org, { project: project?.slug ?? null, range: '24h' })} className="link">
          Outcomes
        </PageLink>
      }
    >
      <div className="num flex justify-between gap-2 text-13">
        <span>{quantityText(sent.total, 'item')}</span>
        <span className="text-ink-2">{shareText(sent.stored, sent.total)} stored</span>
      </div>
    </SideSection>
  )
}
