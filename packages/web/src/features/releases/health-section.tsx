/** How a release fares: adoption, crash-free sessions and users, and what became of the others, by environment. */

import { crashFreeText, crashFreeTone, differenceText, GOAL_TEXT, TONE_TEXT } from '#parts/crash-free.ts'
import { paths } from '#parts/paths.ts'
import { versionOf } from '#parts/release-text.ts'
import { Count } from '#ui/number.tsx'
import { shareText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation } from '#wire/router.ts'
import type { PageHealth } from './health.server.ts'
import { HealthChart } from './health-chart.tsx'
import type { loadReleaseDeploys } from './release.server.ts'

const DAY_MS = 86_400_000

export function HealthSection() {
  const { org, health, view } = usePageData<typeof loadReleaseDeploys>()
  if (health === null) return <NoSessions />
  return (
    <Section
      title="Crash-free and adoption"
      note={healthRangeText(health)}
      end={<SessionsOrUsers chosen={health.of} />}
    >
      <Sentence org={org} health={health} />
      <HealthChart health={health} org={org} version={view.release.version} />
      <Figures health={health} />
      <p className="mt-3 text-12 text-ink-3">
        Crash-free is {GOAL_TEXT}. Select a point of the chart, or drag, for the release’s issues then.
      </p>
    </Section>
  )
}

function NoSessions() {
  return (
    <Section title="Crash-free and adoption">
      <div className="max-w-160 space-y-2 text-13 text-ink-2">
        <p>No sessions were received for this release, so it has no crash-free rates.</p>
        <p>
          Set <code>release</code> in <code>Sentry.init</code>. Browser and mobile SDKs then send sessions by
          themselves; in Node <code>processSessionIntegration</code> and <code>httpIntegration</code> do, in
          Python <code>auto_session_tracking</code>: all on by default.
        </p>
      </div>
    </Section>
  )
}

function healthRangeText({ stepMs, isWhole, isOver, before }: PageHealth): string {
  const by = stepMs >= DAY_MS ? 'by day' : 'by hour, each over 6 hours'
  if (!isWhole) return `${by}, ${isOver ? 'its ' : ''}last 14 days`
  return before === null ? `${by}, since the first session` : `${by}, at the same age`
}

function SessionsOrUsers({ chosen }: { readonly chosen: PageHealth['of'] }) {
  const { pathname } = useLocation()
  const choices = [
    { of: 'sessions', text: 'Sessions', to: pathname },
    { of: 'people', text: 'Users', to: `${pathname}?health=users` },
  ] as const
  return (
    <Segmented label="What counts">
      {choices.map(({ of, text, to }) => (
        <PageLink key={of} to={to} preventScrollReset aria-current={of === chosen ? 'true' : undefined}>
          {text}
        </PageLink>
      ))}
    </Segmented>
  )
}

function Sentence({ org, health }: { readonly org: string; readonly health: PageHealth }) {
  const { of, adoption, before, isYoung } = health
  const word = of === 'people' ? 'users' : 'sessions'
  const [share, earlier, adopted] = [health.free[of], before?.free[of] ?? null, adoption[of]]
  return (
    <p className="mb-3 text-14 text-ink-2">
      {adopted === null ? null : (
        <>
          On <b className="font-strong text-ink">{shareText(adopted, 1)}</b> of {word} in 24 h.{' '}
        </>
      )}
      {share === null ? (
        `Its sessions don’t identify ${word}.`
      ) : (
        <>
          <b className={TONE_TEXT[crashFreeTone(share, { of, isYoung })] || 'font-strong text-ink'}>
            {of === 'people' && !health.inRange.isExact ? '≈ ' : null}
            {crashFreeText(share)}
          </b>{' '}
          of its {word} are crash-free
          {earlier === null || before === null ? (
            '.'
          ) : (
            <>
              , {differenceText(share, earlier)}{' '}
              <PageLink
                to={paths.release(org, before.version)}
                className="foreign link underline"
                title={before.version}
              >
                {versionOf(before.version)}
              </PageLink>
              .
            </>
          )}
        </>
      )}
    </p>
  )
}

function Figures({ health }: { readonly health: PageHealth }) {
  const { inRange, healthy } = health
  const { sessions, errored, unhandled, crashed, abnormal, people, crashedPeople, isExact } = inRange
  const exactness = isExact ? 'exact' : 'approximate'
  const isBad = crashFreeTone(health.free.sessions, { of: 'sessions', isYoung: health.isYoung }) === 'bad'
  const figures = [
    { name: 'Sessions', value: sessions, below: 'total' },
    { name: 'Healthy', value: healthy, below: shareText(healthy, sessions) },
    { name: 'Errored', value: errored + unhandled, below: shareText(errored + unhandled, sessions) },
    { name: 'Crashed', value: crashed, below: shareText(crashed, sessions), isBad },
    { name: 'Abnormal', value: abnormal, below: shareText(abnormal, sessions) },
  ]
  return (
    <dl className="mt-4 grid grid-cols-6 border-y max-wide:grid-cols-3 max-phone:grid-cols-2">
      {figures.map(({ name, value, below, isBad: isRed }) => (
        <div key={name} className="py-2 pe-3">
          <dt className="text-12 text-ink-3">{name}</dt>
          <dd>
            <Count value={value} className={`text-16 font-strong ${isRed === true ? 'text-bad' : ''}`} />
            <span className="num block text-12 text-ink-3">{below}</span>
          </dd>
        </div>
      ))}
      <div className="py-2">
        <dt className="text-12 text-ink-3">Users</dt>
        <dd>
          <Count value={people} exactness={exactness} className="text-16 font-strong" />
          <span className="block text-12 text-ink-3">
            <Count value={crashedPeople} exactness={exactness} /> crashed
          </span>
        </dd>
      </div>
    </dl>
  )
}
