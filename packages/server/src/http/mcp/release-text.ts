/** A release as text for an agent, in sections of which the first matter most. Pure. */
import type { Issue } from '#ports/issues.ts'
import type { ComparedRelease, ReleaseView } from '#queries/release-view.ts'
import { oneLine, time } from './untrusted.ts'

const COMMITS_SHOWN = 50
const FILES_SHOWN = 8

export function releaseText({
  release,
  before,
  after,
  issues,
  commits,
  deploys,
}: ReleaseView): readonly string[] {
  const facts = [
    `Release ${oneLine(release.version)}, ${countsOf(release)}`,
    `Created ${time(release.createdMs)}${release.releasedMs === null ? ', not finalised' : `, released ${time(release.releasedMs)}`}`,
    before === null ? 'No release before it' : `Before it: ${oneLine(before.version)}, ${countsOf(before)}`,
    ...(after === null ? [] : [`After it: ${oneLine(after)}`]),
  ]
  return [
    facts.join('\n'),
    issuesText('Issues that began with it', issues.begun),
    issuesText('Issues that came back with it', issues.regressed),
    issuesText('Issues resolved in it', issues.resolved),
    section(`Commits (${commits.length})`, commits.slice(0, COMMITS_SHOWN).map(commitText)),
    section(
      'Deploys',
      deploys.map(({ environment, finishedMs }) => `${oneLine(environment)} at ${time(finishedMs)}`),
    ),
  ]
}

function countsOf({ issueCount, projects }: ComparedRelease): string {
  const events = projects.reduce((sum, { eventCount }) => sum + eventCount, 0)
  return `${events} events, ${issueCount} issues`
}

function issuesText(title: string, issues: readonly Issue[]): string {
  return section(
    title,
    issues.map(({ shortId, title: what, status }) => `${shortId}: ${oneLine(what)} (${status})`),
  )
}

function commitText({ id, message, authorName, files }: ReleaseView['commits'][number]): string {
  const touched = files.slice(0, FILES_SHOWN).map(({ type, path }) => `${type} ${oneLine(path)}`)
  const more = files.length > FILES_SHOWN ? `, ${files.length - FILES_SHOWN} more` : ''
  const paths = touched.length === 0 ? '' : `\n    ${touched.join(', ')}${more}`
  return `${id.slice(0, 12)} ${oneLine(message ?? '')}${authorName === null ? '' : `, by ${oneLine(authorName)}`}${paths}`
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`
}
