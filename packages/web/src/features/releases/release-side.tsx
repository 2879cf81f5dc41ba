/** The right column: what changed since the release before, deploys, and when it was made of what. */
import { crashFreeText } from '#parts/crash-free.ts'
import { paths } from '#parts/paths.ts'
import { ageText, versionOf } from '#parts/release-text.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { Fact, Facts } from '#ui/definition-list.tsx'
import { numberText } from '#ui/number-text.ts'
import { safeHref } from '#ui/safe-href.ts'
import { SideSection } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
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

/** Comparison of figures at the same age: more is worse, or better. */
interface Comparison {
  readonly name: string
  readonly now: number
  readonly was: number | null
  /** Shares are told in points. */
  readonly isShare?: true
  readonly exactness?: 'approximate'
}

function comparisonsOf({ view, health }: ReleasePageData): readonly Comparison[] {
  const { own, before } = view.atAge
  const shares = (['sessions', 'people'] as const).flatMap((of): Comparison[] => {
    const now = health?.free[of] ?? null
    if (now === null) return []
    const name = of === 'people' ? 'Crash-free users' : 'Crash-free sessions'
    const isApproximate = of === 'people' && health?.inRange.isExact === false
    return [
      {
        ...{ name, now, was: health?.before?.free[of] ?? null, isShare: true },
        ...(isApproximate ? { exactness: 'approximate' } : {}),
      },
    ]
  })
  return [
    ...shares,
    { name: 'New issues', now: own.begun, was: before?.begun ?? null },
    { name: 'Regressions', now: own.regressed, was: before?.regressed ?? null },
  ]
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
              className="foreign link link-alone"
              title={before.version}
            >
              {versionOf(before.version)}
            </PageLink>
            , at {ageText(atAge.ageMs)}
          </>
        )
      }
    >
      <dl className="grid gap-2 text-13">
        {comparisonsOf(data).map((row) => (
          <ComparedRow key={row.name} row={row} />
        ))}
      </dl>
      {before === null ? null : (
        <p className="mt-2 text-12 text-ink-3">
          Compared at the same age: issues since the release, sessions since the first session.
        </p>
      )}
    </SideSection>
  )
}

function ComparedRow({ row }: { readonly row: Comparison }) {
  const { name, now, was, isShare = false } = row
  const text = (value: number) =>
    isShare ? `${row.exactness === 'approximate' ? '≈ ' : ''}${crashFreeText(value)}` : numberText(value)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
      <dt>{name}</dt>
      {was === null ? (
        <dd className="num text-end text-ink-3">–</dd>
      ) : (
        <Change change={now - was} isShare={isShare} />
      )}
      <dd className="num text-12 text-ink-3">
        {text(now)}
        {was === null ? null : `, was ${text(was)}`}
      </dd>
    </div>
  )
}

function Change({ change, isShare }: { readonly change: number; readonly isShare: boolean }) {
  const rounded = isShare ? Math.round(change * 10_000) / 100 : change
  const isWorse = isShare ? rounded < 0 : rounded > 0
  const size = isShare ? `${Math.abs(rounded).toFixed(2)} points` : numberText(Math.abs(rounded))
  return (
    <dd className={`num text-end ${isWorse ? 'font-strong text-bad' : 'text-ink-2'}`}>
      {rounded === 0 ? 'same' : `${rounded > 0 ? '+' : '−'}${size}`}
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
