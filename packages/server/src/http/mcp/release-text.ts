/** A release as text for an agent, in sections of which the first matter most. Pure. */
import type { Issue } from '#ports/issues.ts'
import { crashFree, type HealthView } from '#queries/release-health.ts'
import type { SlowerRoutes } from '#queries/release-slower.ts'
import type { ComparedRelease, ReleaseView } from '#queries/release-view.ts'
import { minuteText, quotedLine } from './untrusted.ts'

const COMMITS_SHOWN = 50
const FILES_SHOWN = 8
const ROUTES_SHOWN = 20

interface ReleaseFacts extends ReleaseView {
  /** `null` while no session came. */
  readonly health: HealthView | null
  readonly slower: SlowerRoutes | null
}

export function releaseText({
  release,
  before,
  after,
  issues,
  commits,
  deploys,
  health,
  slower,
}: ReleaseFacts): readonly string[] {
  const facts = [
    `Release ${quotedLine(release.version)}, ${releaseCountsText(release)}`,
    `Created ${minuteText(release.createdMs)}${release.releasedMs === null ? ', not finalised' : `, released ${minuteText(release.releasedMs)}`}`,
    before === null
      ? 'No release before it'
      : `Before it: ${quotedLine(before.version)}, ${releaseCountsText(before)}`,
    ...(after === null ? [] : [`After it: ${quotedLine(after)}`]),
  ]
  return [
    facts.join('\n'),
    issuesText('Issues that began with it', issues.begun),
    issuesText('Regressions', issues.regressed),
    issuesText('Issues resolved in it', issues.resolved),
    health === null ? '' : healthText(health),
    slower === null ? '' : slowerText(slower),
    sectionText(`Commits (${commits.length})`, commits.slice(0, COMMITS_SHOWN).map(commitText)),
    sectionText(
      'Deploys',
      deploys.map(({ environment, finishedMs }) => `${quotedLine(environment)} at ${minuteText(finishedMs)}`),
    ),
  ]
}

function releaseCountsText({ issueCount, projects }: ComparedRelease): string {
  const events = projects.reduce((sum, { eventCount }) => sum + eventCount, 0)
  return `${events} events, ${issueCount} issues`
}

/** Writes health as the page of a release shows it. */
function healthText({ inRange, before, adoption }: HealthView): string {
  const earlier = before === null ? null : crashFree(before.inRange)
  const free = crashFree(inRange)
  const was = (of: 'sessions' | 'people') =>
    earlier === null || earlier[of] === null
      ? ''
      : `, was ${percentText(earlier[of])} with the release before`
  return sectionText('Sessions, both releases at the same age', [
    `${inRange.sessions} sessions, ${inRange.crashed} crashed`,
    ...(adoption.sessions === null ? [] : [`on ${percentText(adoption.sessions)} of sessions in 24 h`]),
    ...(free.sessions === null
      ? []
      : [`${percentText(free.sessions)} of sessions crash-free${was('sessions')}`]),
    ...(free.people === null ? [] : [`${percentText(free.people)} of users crash-free${was('people')}`]),
  ])
}

function slowerText({ before, routes, failing }: SlowerRoutes): string {
  if (before === null) return ''
  const lines = routes.slice(0, ROUTES_SHOWN).map(({ route, kind, what, now, was, likely }) => {
    const figures =
      what === 'slower'
        ? `p75 ${Math.round(now.p75Ms ?? 0)} ms, was ${Math.round(was.p75Ms ?? 0)} ms`
        : `${percentText(now.failed / now.count)} failed, was ${percentText(was.failed / was.count)}`
    const commit =
      likely === null ? '' : `; ${likely.commit.id.slice(0, 12)} touched ${quotedLine(likely.path)}`
    return `${quotedLine(route)} (${kind}) ${what}: ${figures}${commit}`
  })
  const unlike = failing.map(
    ({ route, kind, now, was }) =>
      `${quotedLine(route)} (${kind}): ${percentText(now.failed / now.count)} of ${Math.round(now.count)} failed, had ${Math.round(was?.count ?? 0)} requests before`,
  )
  return `${sectionText(`Routes that got worse than in ${quotedLine(before)}, both at the same age`, lines)}
${sectionText(`Failing routes with too few requests in ${quotedLine(before)} to compare`, unlike)}`.trim()
}

function percentText(share: number): string {
  return `${(Math.floor(share * 10_000 + 1e-6) / 100).toFixed(2)} %`
}

function issuesText(title: string, issues: readonly Issue[]): string {
  return sectionText(
    title,
    issues.map(({ shortId, title: what, status }) => `${shortId}: ${quotedLine(what)} (${status})`),
  )
}

function commitText({ id, message, authorName, files }: ReleaseView['commits'][number]): string {
  const touched = files.slice(0, FILES_SHOWN).map(({ type, path }) => `${type} ${quotedLine(path)}`)
  const more = files.length > FILES_SHOWN ? `, ${files.length - FILES_SHOWN} more` : ''
  const paths = touched.length === 0 ? '' : `\n    ${touched.join(', ')}${more}`
  return `${id.slice(0, 12)} ${quotedLine(message ?? '')}${authorName === null ? '' : `, by ${quotedLine(authorName)}`}${paths}`
}

function sectionText(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`
}
