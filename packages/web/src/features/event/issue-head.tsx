import type { ReactNode } from 'react'
import { CategoryBadge, KindBadges, StateChip } from '#parts/issue-marks.tsx'
import { titleParts } from '#parts/issue-title.ts'
import { paths } from '#parts/paths.ts'
import { DigestChip } from '#ui/digest-chip.tsx'
import { Icon } from '#ui/icons.tsx'
import { LevelMark } from '#ui/level-mark.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { IssueShared } from './issue.server.ts'
import { IssueControls } from './issue-controls.tsx'
import { IssueWalk, ListPlace } from './issue-walk.tsx'

/** A longer last word may stand apart from the chip that follows. */
const GLUED_CHARS_MAX = 24

/** Head of an issue: path, title and actions. The title takes three lines at most. */
export function IssueHead(props: {
  readonly data: IssueShared
  /** Digest of the shown event, or of the issue if none is shown. */
  readonly digest: string | null
  readonly children: ReactNode
}) {
  const { data, digest, children } = props
  const { org, view } = data
  const { issue, project } = view
  const { type, message } = titleParts(issue)
  const cut = message.lastIndexOf(' ') + 1
  return (
    <header className="border-b px-6 pt-3 pb-4 max-phone:px-4">
      <div className="flex min-h-7 items-center gap-3 text-13 max-phone:-ms-3">
        <nav aria-label="Breadcrumbs" className="flex min-w-0 items-center gap-2 text-ink-2 max-phone:hidden">
          <PageLink to={data.list.back} className="hover:text-ink">
            Issues
          </PageLink>
          <Icon name="chevron-right" size={12} className="shrink-0 text-ink-3" />
          <PageLink
            to={paths.issues(org, { project: project.slug })}
            className="truncate hover:text-ink"
            title={project.slug}
          >
            {project.slug}
          </PageLink>
          <Icon name="chevron-right" size={12} className="shrink-0 text-ink-3" />
          <span className="truncate text-ink-3">{issue.shortId}</span>
        </nav>
        <PageLink
          to={data.list.back}
          className="grid size-11 shrink-0 place-content-center text-ink-2 phone:hidden"
        >
          <Icon name="chevron-left" label="Back to the list" />
        </PageLink>
        <div className="grid min-w-0 phone:hidden">
          <span className="truncate font-strong">{issue.shortId}</span>
          <ListPlace list={data.list} className="text-12" />
        </div>
        <IssueWalk list={data.list} />
      </div>
      <div className="mt-2 flex items-start gap-x-6 gap-y-3 max-wide:flex-wrap">
        <div className="flex min-w-0 flex-1 items-start gap-2.5 max-wide:basis-full">
          <span className="mt-1.5 max-phone:mt-1">
            <LevelMark level={issue.level} />
          </span>
          <div className="min-w-0">
            <h1 className="foreign line-clamp-3 text-20 font-normal max-phone:text-18" title={issue.title}>
              {type === '' ? null : <b className="font-strong">{type} </b>}
              {message.slice(0, cut)}
              <span className={message.length - cut > GLUED_CHARS_MAX ? '' : 'whitespace-nowrap'}>
                {message.slice(cut)}{' '}
                <span className="inline-flex align-middle">
                  <StateChip issue={issue} />
                </span>
              </span>
            </h1>
            <Place data={data} />
          </div>
        </div>
        <div className="flex flex-wrap items-center justify-end gap-2 max-wide:justify-start max-wide:ps-6.5 max-phone:w-full max-phone:ps-0">
          {issue.substatus === 'waiting' ? null : <IssueControls data={data} />}
        </div>
      </div>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2 ps-6.5 max-phone:ps-0">
        {children}
        {digest === null ? null : (
          <DigestChip digest={digest}>
            <PageLink to={paths.digest(digest)} className="link-alone">
              {digest}
            </PageLink>
          </DigestChip>
        )}
      </div>
    </header>
  )
}

/** Kinds, route, and the place in the code. */
function Place({ data }: { readonly data: IssueShared }) {
  const { issue } = data.view
  const { culprit } = issue
  return (
    <div className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-12 text-ink-3">
      <CategoryBadge category={issue.category} />
      <KindBadges kinds={issue.kinds} />
      {issue.route === null ? null : (
        <code className="foreign text-ink-2 max-phone:line-clamp-2">{issue.route}</code>
      )}
      {issue.route === null || culprit === '' ? null : (
        <span aria-hidden="true" className="text-line-2">
          /
        </span>
      )}
      {culprit === '' ? null : <span className="foreign max-phone:line-clamp-2">{culprit}</span>}
      {issue.category === 'skew' ? (
        <PageLink to={skewPath(data)} className="link link-alone">
          All stale clicks in this deploy
        </PageLink>
      ) : null}
    </div>
  )
}

/** The page finds the deploy by the release of its tabs. */
function skewPath({ org, view }: IssueShared): string {
  return paths.skew(org, { project: view.project.slug, release: view.issue.lastRelease })
}
