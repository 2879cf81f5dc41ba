/** A row for each project: counts of the last day, and what they say of it. */

import { crashFreeText, TONE_TEXT } from '#parts/crash-free.ts'
import { paths } from '#parts/paths.ts'
import { platformName } from '#parts/platforms.ts'
import { versionOf } from '#parts/release-text.ts'
import { Trend } from '#ui/charts/trend.tsx'
import { Icon } from '#ui/icons.tsx'
import { Isolated } from '#ui/isolated.tsx'
import { LevelMark } from '#ui/level-mark.tsx'
import { Count } from '#ui/number.tsx'
import { Table, tableNum } from '#ui/table.tsx'
import { Time, useNow } from '#ui/time.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { crashFreeShare, healthOf, sessionsTone } from './health-text.ts'
import type { ProjectRow } from './projects.server.ts'

export function ProjectsTable({
  org,
  projects,
}: {
  readonly org: string
  readonly projects: readonly ProjectRow[]
}) {
  return (
    <Table
      caption="Projects"
      stacks="columns"
      className="phone:max-[72rem]:[&_:is(td,th):not(:first-child,:last-child)]:px-2"
    >
      <thead>
        <tr>
          <th className="min-w-20 wide:min-w-32">Project</th>
          <th className="stack-lead min-w-28 wide:min-w-36">Health</th>
          <th className={tableNum}>Errors, 24 h</th>
          <th className="stack-none mid-only">Trend, 24 h</th>
          <th className={tableNum}>Unresolved</th>
          <th className={tableNum}>New</th>
          <th className={tableNum}>Regressed</th>
          <th
            className={`stack-none wide-only ${tableNum}`}
            title="Sessions without a crash in the last 24 hours"
          >
            Crash-free
          </th>
          <th className="stack-none wide-only">Latest release</th>
          <th className={tableNum}>Last event</th>
          <th className="stack-end">
            <span className="visually-hidden">Settings</span>
          </th>
        </tr>
      </thead>
      <tbody className="tall-links">
        {projects.map((project) => (
          <Row key={project.id} org={org} project={project} />
        ))}
      </tbody>
    </Table>
  )
}

function Row({ org, project }: { readonly org: string; readonly project: ProjectRow }) {
  const { slug, name, issues, isSelf, isEmpty } = project
  const setUp = paths.firstEvent(org, slug)
  return (
    <tr>
      <td>
        <PageLink
          className="link foreign row-link font-strong"
          to={isEmpty && !isSelf ? setUp : paths.issues(org, { project: slug })}
        >
          {name}
        </PageLink>
        <span className="foreign line-clamp-2 text-12 text-ink-3" title={belowName(project).join(', ')}>
          <Isolated texts={belowName(project)} />
        </span>
      </td>
      <td className="stack-lead">
        <Health project={project} />
      </td>
      <td className={tableNum}>
        <Count value={project.errors} />
      </td>
      <td className="stack-none mid-only">{isEmpty ? null : <Trend series={project.trend} />}</td>
      <td className={tableNum}>
        <Count value={issues.unresolved} />
      </td>
      <td className={tableNum}>
        <Count value={issues.new} className={issues.new > 0 ? 'font-strong' : ''} />
      </td>
      <td className={tableNum}>
        <Count value={issues.regressed} className={issues.regressed > 0 ? 'font-strong text-bad' : ''} />
      </td>
      <td className={`stack-none wide-only ${tableNum}`}>
        <CrashFree sessions={project.sessions} />
      </td>
      <td className="stack-none wide-only whitespace-nowrap">
        <LatestRelease org={org} release={project.latestRelease} />
      </td>
      <td className={`${tableNum} whitespace-nowrap`}>
        {project.lastEventMs === null ? (
          isEmpty && !isSelf ? (
            <PageLink className="link" to={setUp}>
              Set up<span className="visually-hidden"> {name}</span>
            </PageLink>
          ) : (
            '–'
          )
        ) : (
          <Time ms={project.lastEventMs} form="age" />
        )}
      </td>
      <td className="stack-end text-end">
        <PageLink className="link" to={paths.projectSettings(org, slug)}>
          Settings<span className="visually-hidden"> of {name}</span>
        </PageLink>
      </td>
    </tr>
  )
}

function belowName({ isSelf, platform, teams }: ProjectRow): readonly string[] {
  if (isSelf) return ['Errata’s own errors']
  return [platformName(platform), ...teams].filter((part) => part !== '')
}

function CrashFree({ sessions }: { readonly sessions: ProjectRow['sessions'] }) {
  const tone = sessionsTone(sessions, useNow())
  return <span className={`num ${TONE_TEXT[tone]}`}>{crashFreeText(crashFreeShare(sessions))}</span>
}

function LatestRelease({
  org,
  release,
}: {
  readonly org: string
  readonly release: ProjectRow['latestRelease']
}) {
  if (release === null) return <span className="text-ink-3">–</span>
  return (
    <>
      <PageLink className="link foreign" to={paths.release(org, release.version)} title={release.version}>
        {versionOf(release.version)}
      </PageLink>{' '}
      <Time ms={release.atMs} form="age" className="text-ink-3" />
    </>
  )
}

const MARKS = {
  good: { icon: 'check', text: 'text-good' },
  warn: { icon: 'warning', text: 'font-strong text-warn' },
  waiting: { icon: null, text: 'text-ink-2' },
} as const

function Health({ project }: { readonly project: ProjectRow }) {
  const { tone, text, note } = healthOf(project, useNow())
  const { icon, text: look } = MARKS[tone]
  return (
    <span className="flex gap-2">
      {icon === null ? (
        <span
          aria-hidden="true"
          className="mt-1 size-3 shrink-0 rounded-full border border-dashed border-control"
        />
      ) : icon === 'warning' ? (
        <span className="mt-0.5">
          <LevelMark level={icon} size={14} />
        </span>
      ) : (
        <Icon name={icon} size={14} className={`mt-0.5 shrink-0 ${look}`} />
      )}
      <span className="min-w-0">
        <span className={`${look} wide:whitespace-nowrap`}>{text}</span>
        {note === null ? null : (
          <span className="block text-12 text-ink-3 wide:whitespace-nowrap">{note}</span>
        )}
      </span>
    </span>
  )
}
