/** The right column: what changed since the release before, deploys, and when it was made of what. */
import { paths } from '#parts/paths.ts'
import { versionOf } from '#parts/release-text.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { Fact, Facts } from '#ui/definition-list.tsx'
import { numberText } from '#ui/number-text.ts'
import { safeHref } from '#ui/safe-href.ts'
import { SideSection } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { DeployName } from './release-environments.tsx'
import type { loadRelease } from './releases.server.ts'

type View = Awaited<ReturnType<typeof loadRelease>>['view']
type Release = View['release']

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

const newIssues = ({ projects }: Release) => projects.reduce((total, each) => total + each.newIssues, 0)
const events = ({ projects }: Release) => projects.reduce((total, each) => total + each.eventCount, 0)

/** More of them is worse, or says nothing by itself. */
const ROWS: readonly {
  readonly name: string
  readonly of: (release: Release) => number
  readonly isWorse?: true
}[] = [
  { name: 'New issues', of: newIssues, isWorse: true },
  { name: 'Regressed issues', of: ({ regressedIssues }) => regressedIssues, isWorse: true },
  { name: 'Failing issues', of: ({ issueCount }) => issueCount, isWorse: true },
  { name: 'Events', of: events },
  { name: 'Commits', of: ({ commitCount }) => commitCount },
]

function Compared() {
  const { org, view } = usePageData<typeof loadRelease>()
  const { release, before } = view
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
              to={paths.release(org, before.version)}
              className="foreign link link-alone"
              title={before.version}
            >
              {versionOf(before.version)}
            </PageLink>
          </>
        )
      }
    >
      <dl className="grid gap-2 text-13">
        {ROWS.map(({ name, of, isWorse }) => (
          <ComparedRow
            key={name}
            name={name}
            now={of(release)}
            was={before === null ? null : of(before)}
            isWorse={isWorse === true}
          />
        ))}
      </dl>
      {before === null ? null : (
        <p className="mt-2 text-12 text-ink-3">
          Counted since each was released, so the older one had more time.
        </p>
      )}
    </SideSection>
  )
}

function ComparedRow(props: {
  readonly name: string
  readonly now: number
  readonly was: number | null
  readonly isWorse: boolean
}) {
  const { name, now, was, isWorse } = props
  const change = was === null ? 0 : now - was
  const tone = isWorse && change > 0 ? 'text-bad font-strong' : 'text-ink-2'
  return (
    <div className="flex items-baseline gap-3">
      <dt className="flex-1">{name}</dt>
      <dd className="num text-end">
        {numberText(now)}
        {was === null ? null : <span className="text-12 text-ink-3">, was {numberText(was)}</span>}
      </dd>
      {was === null ? null : <dd className={`num w-14 text-end ${tone}`}>{changeText(change)}</dd>}
    </div>
  )
}

function changeText(change: number): string {
  if (change === 0) return 'same'
  return change > 0 ? `+${numberText(change)}` : `−${numberText(-change)}`
}

const DEPLOYS_SHOWN = 10

function Deploys() {
  const { view } = usePageData<typeof loadRelease>()
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
  const { view } = usePageData<typeof loadRelease>()
  const { release } = view
  const { version, createdMs, releasedMs, ref, url, projects } = release
  const href = url === null ? null : safeHref(url)
  const first = projects.map(({ firstEventMs }) => firstEventMs).filter((ms) => ms !== null)
  const last = projects.map(({ lastEventMs }) => lastEventMs).filter((ms) => ms !== null)
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
        {first.length === 0 ? null : (
          <Fact term="First event">
            <Time ms={Math.min(...first)} />
          </Fact>
        )}
        {last.length === 0 ? null : (
          <Fact term="Last event">
            <Time ms={Math.max(...last)} />
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
