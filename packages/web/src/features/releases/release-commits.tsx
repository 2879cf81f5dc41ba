/** Commits of a release, each with who wrote it. */
import { useCan } from '#parts/frame-data.ts'
import { commitText } from '#parts/release-text.ts'
import { Avatar } from '#ui/avatar.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadReleaseCommits } from './release.server.ts'

type Commit = Awaited<ReturnType<typeof loadReleaseCommits>>['commits'][number]

const OPEN = 8

export function ReleaseCommits() {
  const { view, commits } = usePageData<typeof loadReleaseCommits>()
  const { release } = view
  const more = commits.slice(OPEN)
  const isCut = commits.length < release.commitCount
  return (
    <Section
      title="Commits"
      id="commits"
      note={`${numberText(release.commitCount)}${isCut ? `, the newest ${numberText(commits.length)} are shown` : ''}`}
    >
      {commits.length === 0 ? <NoCommits version={release.version} /> : null}
      <CommitList commits={commits.slice(0, OPEN)} />
      {more.length === 0 ? null : (
        <details className="group/commits mt-2">
          <summary className="link inline-flex items-center text-12 max-phone:min-h-11">
            <span className="group-open/commits:hidden">Show {quantityText(more.length, 'more commit')}</span>
            <span className="hidden group-open/commits:inline">Show fewer commits</span>
          </summary>
          <div className="pt-2">
            <CommitList commits={more} />
          </div>
        </details>
      )}
    </Section>
  )
}

function NoCommits({ version }: { readonly version: string }) {
  const canSet = useCan('release.write')
  return (
    <p className="text-13 text-ink-3">
      No commits are known.{' '}
      {canSet ? (
        <>
          <code className="text-ink-2">sentry-cli releases set-commits "{version}" --auto</code> sends them;
          suspect commits come from them.
        </>
      ) : null}
    </p>
  )
}

function CommitList({ commits }: { readonly commits: readonly Commit[] }) {
  return (
    <ul className="grid gap-2 text-13">
      {commits.map((commit) => (
        <CommitLine key={commit.id} commit={commit} />
      ))}
    </ul>
  )
}

function CommitLine({ commit }: { readonly commit: Commit }) {
  const { id, message, member, authorName, authorEmail, repository, fileCount, atMs } = commit
  const author = member?.name || (authorName ?? authorEmail)
  return (
    <li className="flex min-w-0 items-start gap-3">
      <Avatar name={author} />
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 gap-2">
          <code className="shrink-0 text-ink-2" title={id}>
            {commitText(id)}
          </code>
          <span className="foreign min-w-0 truncate">{message?.split('\n', 1)[0] ?? ''}</span>
        </div>
        <div className="text-12 text-ink-3">
          <span className="foreign text-ink-2" title={authorEmail ?? undefined}>
            {author ?? 'unknown author'}
          </span>
          {member === null && author !== null ? ', not a member' : ''}
          {atMs === null ? null : (
            <>
              , <Time ms={atMs} />
            </>
          )}
          {fileCount === 0 ? '' : `, ${quantityText(fileCount, 'file')}`}
          {repository === null ? null : <span className="foreign">, {repository}</span>}
        </div>
      </div>
    </li>
  )
}
