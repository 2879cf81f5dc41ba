/** Page of a release: its issues, commits, deploys and artifacts, beside the release before. */
import type { ReactNode } from 'react'
import { paths, withQuery } from '#parts/paths.ts'
import { Readable } from '#parts/readable.tsx'
import { packageOf, releaseBeginning, versionOf } from '#parts/release-text.ts'
import { useShortcuts } from '#parts/shortcuts.tsx'
import { Chip } from '#ui/chip.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Icon, type IconName } from '#ui/icons.tsx'
import { Menu, menuItem } from '#ui/menu.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { TabLabel, Tabs, tab } from '#ui/tabs.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useLocation, useNavigate } from '#wire/router.ts'
import { HealthSection } from './health-section.tsx'
import { encodedPath, releasesPaths } from './paths.ts'
import type { loadReleaseDeploys } from './release.server.ts'
import { ReleaseActions } from './release-actions.tsx'
import { ReleaseArtifacts } from './release-artifacts.tsx'
import { ReleaseCommits } from './release-commits.tsx'
import { ReleaseEnvironments } from './release-environments.tsx'
import { ReleaseIssues } from './release-issues.tsx'
import { ReleaseSide } from './release-side.tsx'
import { ReleaseSlower } from './release-slower.tsx'

/** Its issues are what a release is opened for. */
export function ReleasePage() {
  return (
    <ReleaseTabPage isFirst>
      <Readable part="issues" what="Issues of the release">
        <ReleaseIssues />
      </Readable>
    </ReleaseTabPage>
  )
}

export function ReleaseSlowerPage() {
  return (
    <ReleaseTabPage>
      <Readable part="slower" what="Regressions">
        <ReleaseSlower />
      </Readable>
    </ReleaseTabPage>
  )
}

export function ReleaseCommitsPage() {
  return (
    <ReleaseTabPage>
      <Readable part="commits" what="Commits">
        <ReleaseCommits />
      </Readable>
    </ReleaseTabPage>
  )
}

export function ReleaseDeploysPage() {
  return (
    <ReleaseTabPage>
      <ReleaseEnvironments />
    </ReleaseTabPage>
  )
}

export function ReleaseArtifactsPage() {
  return (
    <ReleaseTabPage>
      <Readable part="artifacts" what="Artifacts">
        <ReleaseArtifacts />
      </Readable>
    </ReleaseTabPage>
  )
}

function ReleaseTabPage({ isFirst, children }: { readonly isFirst?: true; readonly children: ReactNode }) {
  return (
    <>
      <ReleaseHead />
      <div className="grid border-t wide:grid-cols-[minmax(0,1fr)_320px]">
        <div className="min-w-0 px-6 pb-8 max-phone:px-4 wide:border-e">
          {/* In one column the rows of another tab would begin far below it. */}
          <div className={`[&>section:first-child]:border-t-0 ${isFirst === true ? '' : 'max-wide:hidden'}`}>
            <Readable part="health" what="Crash-free rates and adoption">
              <HealthSection />
            </Readable>
          </div>
          <ReleaseTabs />
          {/* The line below the tabs is theirs. */}
          <div className="[&>section:first-child]:border-t-0">{children}</div>
        </div>
        <ReleaseSide />
      </div>
    </>
  )
}

function ReleaseTabs() {
  const { org, view, regressions, compared } = usePageData<typeof loadReleaseDeploys>()
  const pathname = encodedPath(useLocation().pathname)
  const { release, uploads } = view
  const { version, commitCount, deployCount, regressedIssues, resolvedIssues } = release
  const tabs = [
    {
      name: 'Issues',
      to: paths.release(org, version),
      count: regressedIssues + release.ofAll.newIssues + resolvedIssues,
    },
    {
      name: 'Regressions',
      to: paths.releaseSlower(org, version),
      ...(regressions === null ? {} : { count: regressions }),
    },
    { name: 'Commits', to: paths.releaseCommits(org, version), count: commitCount },
    { name: 'Deploys', to: releasesPaths.releaseDeploys(org, version), count: deployCount },
    { name: 'Artifacts', to: releasesPaths.releaseArtifacts(org, version), count: uploads?.bundles ?? 0 },
  ]
  return (
    <Tabs label="Parts of the release" className="border-b">
      {tabs.map(({ name, to, ...counted }) => (
        <PageLink
          key={name}
          to={withQuery(to, { with: compared })}
          preventScrollReset
          className={tab}
          aria-current={to === pathname ? 'page' : undefined}
        >
          <TabLabel label={name} {...counted} />
        </PageLink>
      ))}
    </Tabs>
  )
}

function ReleaseHead() {
  const { org, view } = usePageData<typeof loadReleaseDeploys>()
  const { release, uploads } = view
  const { version, projects, ofAll } = release
  const title = versionOf(version)
  const name = packageOf(version)
  return (
    <header className="px-6 pt-5 pb-4 max-phone:px-4">
      <title>{`${title} · Releases · Errata`}</title>
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <nav aria-label="Breadcrumbs" className="flex flex-wrap items-center gap-1.5 text-13 text-ink-2">
          <PageLink to={paths.releases(org)} className="hover:text-ink max-phone:-my-3 max-phone:py-3">
            Releases
          </PageLink>
          {projects.map(({ slug, name: project }) => (
            <span key={slug} className="inline-flex items-center gap-1.5">
              <Icon name="chevron-right" size={12} />
              <PageLink
                to={paths.releases(org, { project: slug })}
                className="foreign hover:text-ink max-phone:-my-3 max-phone:py-3"
              >
                {project}
              </PageLink>
            </span>
          ))}
          {ofAll.count > projects.length ? (
            <span className="text-ink-3">and {numberText(ofAll.count - projects.length)} more</span>
          ) : null}
        </nav>
        <Beside />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="foreign min-w-0 text-20 font-strong" title={version}>
          {title}
        </h1>
        <CopyButton text={version} name="Copy the whole version" />
        {name === '' ? null : <span className="foreign text-14 text-ink-2">{name}</span>}
        {release.status === 'archived' ? <Chip tone="outline">Archived</Chip> : null}
        {uploads?.usedMs == null ? null : (
          <span className="inline-flex items-center gap-1 text-13 text-good">
            <Icon name="check" size={12} />
            maps verified
          </span>
        )}
        <CompareMenu />
        <ReleaseActions />
      </div>
      <Sentence />
    </header>
  )
}

/** Another release than the one before it to compare with. */
function CompareMenu() {
  const { view } = usePageData<typeof loadReleaseDeploys>()
  const { pathname } = useLocation()
  const { before, previous, others } = view
  if (before === null) return null
  return (
    <span className="ms-auto max-phone:basis-full">
      <Menu
        className="btn touch max-phone:w-full"
        align="end"
        label={
          <>
            <span className="text-ink-3">Compare with</span>
            <span className="foreign max-w-40 truncate">{versionOf(before.version)}</span>
          </>
        }
      >
        {others.map((version) => (
          <PageLink
            key={version}
            className={menuItem}
            to={withQuery(pathname, { with: version === previous ? null : version })}
            preventScrollReset
            aria-current={version === before.version ? 'true' : undefined}
            title={version}
          >
            <span className="foreign">{versionOf(version)}</span>
            {version === previous ? (
              <span className="ms-auto text-12 text-ink-3">the previous release</span>
            ) : null}
          </PageLink>
        ))}
      </Menu>
    </span>
  )
}

/** Describes the release in one sentence. */
function Sentence() {
  const { view } = usePageData<typeof loadReleaseDeploys>()
  const { release } = view
  const { ofAll, regressedIssues, resolvedIssues } = release
  const { newIssues, eventCount: events } = ofAll
  return (
    <p className="mt-2 max-w-200 text-15 text-ink-2">
      <span className="inline-block first-letter:uppercase">{releaseBeginning(release)}</span>{' '}
      <Time ms={release.releasedMs ?? release.createdMs} />.{' '}
      <b className="font-strong text-ink">{quantityText(newIssues, 'new issue')}</b>
      {regressedIssues === 0 ? null : (
        <>
          , <b className="font-strong text-bad">{numberText(regressedIssues)} regressed</b>
        </>
      )}
      {resolvedIssues === 0 ? null : <>, {numberText(resolvedIssues)} resolved</>}.{' '}
      {events === 0 ? 'It has no events yet.' : `${quantityText(events, 'event')}.`}
    </p>
  )
}

/** The way to the releases before and after it: `[` and `]`. */
function Beside() {
  const { org, view } = usePageData<typeof loadReleaseDeploys>()
  const navigate = useNavigate()
  const older = view.previous
  const newer = view.after
  const go = (version: string | null) => {
    if (version !== null) void navigate(paths.release(org, version))
  }
  useShortcuts([
    { keys: '[', label: 'Previous release', run: () => go(older) },
    { keys: ']', label: 'Next release', run: () => go(newer) },
  ])
  return (
    <nav aria-label="Releases before and after" className="segmented touch ms-auto bg-raised">
      <Step version={older} icon="chevron-left" label="Release before" end="This is the first release" />
      <Step version={newer} icon="chevron-right" label="Release after" end="This is the newest release" />
    </nav>
  )
}

function Step(props: {
  readonly version: string | null
  readonly icon: IconName
  readonly label: string
  /** Why there is none. */
  readonly end: string
}) {
  const { version, icon, label, end } = props
  const { org } = usePageData<typeof loadReleaseDeploys>()
  if (version === null)
    return (
      <span aria-disabled="true" title={end} className="cursor-not-allowed text-line-2 max-phone:px-3.5">
        <Icon name={icon} size={14} label={`${label}: ${end}`} />
      </span>
    )
  return (
    <PageLink
      to={paths.release(org, version)}
      title={`${label}: ${versionOf(version)}`}
      className="max-phone:px-3.5"
    >
      <Icon name={icon} size={14} label={`${label}: ${versionOf(version)}`} />
    </PageLink>
  )
}
