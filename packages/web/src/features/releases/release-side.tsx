/** The right column: what changed since the release before, deploys, and when it was made of what. */
import type { ReactNode } from 'react'
import { crashFreeText } from '#parts/crash-free.ts'
import { paths } from '#parts/paths.ts'
import { releaseAgeText, versionOf } from '#parts/release-text.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { Fact, Facts } from '#ui/definition-list.tsx'
import { numberText, shareText } from '#ui/number-text.ts'
import { safeHref } from '#ui/safe-href.ts'
import { SideSection } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { durationText } from '#ui/time-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadReleaseDeploys, ReleasePageData } from './release.server.ts'
import { DeployName } from './release-environments.tsx'

export function ReleaseSide() {
  return (
    <aside
      aria-label="About the release"
      className="min-w-0 px-5 pb-8 max-wide:border-t max-wide:px-6 max-phone:px-4"
    >
      <Compared />
      <Deploys />
      <About />
    </aside>
  )
}

/** Figures of both releases at the same age. `null`: that side has none. */
interface Comparison {
  readonly name: ReactNode
  readonly key: string
  readonly now: number
  readonly was: number | null
  readonly isWorse: 'more' | 'less'
  text(value: number): string
  /** Size of a change, without its sign. Empty: too small to say. */
  change(size: number, was: number): string
}

/** A percentile moves by less between any two releases. */
const LEAST_PERCENT = 5

const pointsText = (size: number) => (size < 0.00005 ? '' : `${(size * 100).toFixed(2)} points`)
const percentText = (size: number, was: number) => {
  const percent = Math.round((size / was) * 100)
  return was === 0 || percent < LEAST_PERCENT ? '' : `${numberText(percent)} %`
}
const sizeText = (size: number) => (size === 0 ? '' : numberText(size))
const shareOfAll = (value: number) => shareText(value, 1)
const COUNT = { isWorse: 'more', text: numberText, change: sizeText } as const
const DURATION = { isWorse: 'more', text: durationText, change: percentText } as const

function comparisonsOf({ view, health, figures }: ReleasePageData): readonly Comparison[] {
  const { own, before } = view.atAge
  return [
    ...crashFreeOf(health),
    ...(figures === null ? [] : failedOf(figures)),
    { ...COUNT, ...namedKey('New issues'), now: own.begun, was: before?.begun ?? null },
    { ...COUNT, ...namedKey('Regressions'), now: own.regressed, was: before?.regressed ?? null },
    ...eventsPerSessions(health, figures),
    ...(figures === null ? [] : feltOf(figures)),
  ]
}

/** Fewer sessions say nothing about a release. */
const SESSIONS_MIN = 100

/** Compared only while both are shown since their first session: sessions of other days would be divided by. */
function eventsPerSessions(
  health: ReleasePageData['health'],
  figures: ReleasePageData['figures'],
): readonly Comparison[] {
  const earlier = health?.before ?? null
  if (health === null || earlier === null || figures === null || !health.isWhole) return []
  const { now, was } = figures.events
  if (now === null || was === null) return []
  const sessions = Math.min(health.inRange.sessions, earlier.sessions)
  if (sessions < SESSIONS_MIN) return []
  return [
    {
      ...namedKey('Events per 1,000 sessions'),
      now: (now / health.inRange.sessions) * 1000,
      was: (was / earlier.sessions) * 1000,
      ...{ isWorse: 'more', text: perMinuteText, change: percentText },
    },
  ]
}

const perMinuteText = (value: number) => (value < 100 ? value.toFixed(1) : numberText(Math.round(value)))

function namedKey(name: string) {
  return { name, key: name }
}

function crashFreeOf(health: ReleasePageData['health']): readonly Comparison[] {
  return (['sessions', 'people'] as const).flatMap((of): Comparison[] => {
    const now = health?.free[of] ?? null
    if (now === null) return []
    const sign = of === 'people' && health?.inRange.isExact === false ? '≈ ' : ''
    const text = (value: number) => `${sign}${crashFreeText(value)}`
    const was = health?.before?.free[of] ?? null
    const name = of === 'people' ? 'Crash-free users' : 'Crash-free sessions'
    return [{ ...namedKey(name), now, was, isWorse: 'less', text, change: pointsText }]
  })
}

type Figures = NonNullable<ReleasePageData['figures']>

function failedOf({ failed: { now, was } }: Figures): readonly Comparison[] {
  if (now === null) return []
  return [{ ...namedKey('Failed requests'), now, was, isWorse: 'more', text: shareOfAll, change: pointsText }]
}

/** Returns what people wait for, and what older tabs met. */
function feltOf({ routes, lcpMs, staleClicks }: Figures): readonly Comparison[] {
  const slower = routes.flatMap(({ route, kind, now, was }): Comparison[] => {
    const name = (
      <>
        <code className="foreign">{route}</code> {kind}, p75
      </>
    )
    return now === null ? [] : [{ ...DURATION, name, key: `${route} ${kind}`, now, was }]
  })
  const { now, was } = lcpMs
  const painted =
    now === null ? [] : [{ ...DURATION, ...namedKey('Largest contentful paint, p75'), now, was }]
  return [...slower, ...painted, { ...COUNT, ...namedKey('Clicks in stale tabs'), ...staleClicks }]
}

function Compared() {
  const data = usePageData<typeof loadReleaseDeploys>()
  const { before, atAge } = data.view
  return (
    <SideSection
      title="Compared"
      note={
        before === null ? (
          'the first release'
        ) : (
          <>
            with{' '}
            <PageLink
              to={paths.release(data.org, before.version)}
              className="foreign link link-text"
              title={before.version}
            >
              {versionOf(before.version)}
            </PageLink>
            , at {releaseAgeText(atAge.ageMs)}
          </>
        )
      }
    >
      <dl className="grid gap-2 text-13">
        {comparisonsOf(data).map((row) => (
          <ComparedRow key={row.key} row={row} />
        ))}
      </dl>
      {before === null ? null : (
        <p className="mt-2 text-12 text-ink-3">
          Compared at the same age: sessions since the first session, all else since the release.
        </p>
      )}
    </SideSection>
  )
}

function ComparedRow({ row }: { readonly row: Comparison }) {
  const { name, now, was, text } = row
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
      <dt className="min-w-0 [overflow-wrap:anywhere]">{name}</dt>
      {was === null ? <dd className="num text-end text-ink-3">–</dd> : <Change row={row} was={was} />}
      <dd className="num text-12 text-ink-3">
        {text(now)}
        {was === null ? null : `, was ${text(was)}`}
      </dd>
    </div>
  )
}

function Change({ row, was }: { readonly row: Comparison; readonly was: number }) {
  const { now, isWorse, change } = row
  const size = change(Math.abs(now - was), was)
  const isBad = size !== '' && (isWorse === 'more' ? now > was : now < was)
  return (
    <dd className={`num text-end ${isBad ? 'font-strong text-bad' : 'text-ink-2'}`}>
      {size === '' ? 'same' : `${now > was ? '+' : '−'}${size}`}
    </dd>
  )
}

const DEPLOYS_SHOWN = 10

function Deploys() {
  const { view } = usePageData<typeof loadReleaseDeploys>()
  const { deploys } = view
  return (
    <SideSection title="Deploys" note={numberText(deploys.length)}>
      {deploys.length === 0 ? <p className="text-13 text-ink-3">None reported.</p> : null}
      <ul className="grid gap-1.5 text-13">
        {deploys.slice(0, DEPLOYS_SHOWN).map((deploy) => (
          <li key={deploy.id} className="flex min-w-0 items-baseline gap-2 max-phone:min-h-11">
            <span className="foreign min-w-0 flex-1 truncate">{deploy.environment}</span>
            <span className="max-w-30 truncate max-phone:py-3">
              <DeployName deploy={deploy} />
            </span>
            <span className="text-12 text-ink-3">
              <Time ms={deploy.finishedMs} />
            </span>
          </li>
        ))}
      </ul>
      {deploys.length > DEPLOYS_SHOWN ? (
        <p className="mt-2 text-12 text-ink-3">The newest {DEPLOYS_SHOWN} are shown.</p>
      ) : null}
    </SideSection>
  )
}

function About() {
  const { view } = usePageData<typeof loadReleaseDeploys>()
  const { release } = view
  const { version, createdMs, releasedMs, ref, url, ofAll } = release
  const href = url === null ? null : safeHref(url)
  return (
    <SideSection title="About">
      <Facts>
        <Fact term="Version">
          <span className="foreign">{version}</span> <CopyButton text={version} name="Copy the version" />
        </Fact>
        <Fact term="Created">
          <Time ms={createdMs} />
        </Fact>
        <Fact term="Finalized">
          {releasedMs === null ? <span className="text-ink-3">not yet</span> : <Time ms={releasedMs} />}
        </Fact>
        {ofAll.firstEventMs === null ? null : (
          <Fact term="First event">
            <Time ms={ofAll.firstEventMs} />
          </Fact>
        )}
        {ofAll.lastEventMs === null ? null : (
          <Fact term="Last event">
            <Time ms={ofAll.lastEventMs} />
          </Fact>
        )}
        {ref === null ? null : (
          <Fact term="Ref">
            <code className="foreign">{ref}</code>
          </Fact>
        )}
        {href === null ? null : (
          <Fact term="Build">
            <a href={href} className="link link-alone" rel="noreferrer">
              Open
            </a>
          </Fact>
        )}
      </Facts>
    </SideSection>
  )
}
