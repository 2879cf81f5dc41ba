import { useCan } from '#parts/frame-data.ts'
import { Page, PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { PLATFORMS } from '#parts/platforms.ts'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icons.tsx'
import { Count } from '#ui/number.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Table, tableNum } from '#ui/table.tsx'
import { Time, useNow } from '#ui/time.tsx'
import { Trend } from '#ui/trend.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { healthText } from './health-text.ts'
import type { loadProjects } from './projects.server.ts'

type ProjectRow = Awaited<ReturnType<typeof loadProjects>>['projects'][number]

export function ProjectsView() {
  const { org, projects } = usePageData<typeof loadProjects>()
  const mayCreate = useCan('project.create')
  const create = (
    <PageLink to={paths.newProject(org)} className={buttonClass('primary')}>
      New project
    </PageLink>
  )
  return (
    <Page wide>
      <PageHead title="Projects" end={mayCreate ? create : undefined} />
      {projects.length === 0 ? (
        <Empty title="No projects">
          {mayCreate
            ? 'A project is one app or service. Create one to receive its events.'
            : 'Teams give access to projects. An owner or manager can add you to a team.'}
        </Empty>
      ) : (
        <>
          <Table caption="Projects" stacks="early">
            <thead>
              <tr>
                <th>Project</th>
                <th>Health</th>
                <th className={tableNum}>Errors, 24 h</th>
                <th>Trend, 24 h</th>
                <th className={tableNum}>Unresolved</th>
                <th className={tableNum}>New</th>
                <th className={tableNum}>Regressed</th>
                <th className={tableNum}>Last event</th>
                <th>
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
          <Footer projects={projects} />
        </>
      )}
    </Page>
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
        <span className="foreign block text-12 text-ink-3">{belowName(project)}</span>
      </td>
      <td className="stack-line">
        <Health project={project} />
      </td>
      <td className={`${tableNum} ${noneIf(isEmpty ? 0 : 1)}`} data-label="Errors, 24 h">
        <Count value={project.errors} />
      </td>
      <td>{isEmpty ? null : <Trend series={project.trend} />}</td>
      <td className={`${tableNum} ${noneIf(isEmpty ? 0 : 1)}`} data-label="Unresolved">
        <Count value={issues.unresolved} />
      </td>
      <td className={`${tableNum} ${noneIf(issues.new)}`} data-label="New">
        <Count value={issues.new} className={issues.new > 0 ? 'font-strong' : ''} />
      </td>
      <td className={`${tableNum} ${noneIf(issues.regressed)}`} data-label="Regressed">
        <Count value={issues.regressed} className={issues.regressed > 0 ? 'font-strong text-bad' : ''} />
      </td>
      <td
        className={`${tableNum} whitespace-nowrap ${isSelf && isEmpty ? 'stack-none' : ''}`}
        data-label={project.lastEventMs === null ? undefined : 'Last event'}
      >
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

/** Where rows are lines, what is nothing takes no place. */
function noneIf(count: number): string {
  return count === 0 ? 'stack-none' : ''
}

function belowName({ isSelf, platform, teams }: ProjectRow): string {
  if (isSelf) return 'Errata’s own failures'
  const known = PLATFORMS.find(({ id }) => id === platform)?.name ?? platform ?? ''
  return [known, ...teams].filter((part) => part !== '').join(', ')
}

const MARKS = {
  good: { icon: 'check', text: 'text-good' },
  warn: { icon: 'exclamation', text: 'font-strong text-warn' },
  waiting: { icon: null, text: 'text-ink-2' },
} as const

function Health({ project }: { readonly project: ProjectRow }) {
  const nowMs = useNow()
  const { tone, text, note } = healthText(project.health, { ...project, nowMs })
  const { icon, text: look } = MARKS[tone]
  return (
    <span className="flex gap-2">
      {icon === null ? (
        <span
          aria-hidden="true"
          className="mt-1 size-3 shrink-0 rounded-full border border-dashed border-control"
        />
      ) : (
        <Icon name={icon} size={14} className={`mt-0.5 shrink-0 ${look}`} />
      )}
      <span className="min-w-0">
        <span className={look}>{text}</span>
        {note === null ? null : <span className="block text-12 text-ink-3">{note}</span>}
      </span>
    </span>
  )
}

function Footer({ projects }: { readonly projects: readonly ProjectRow[] }) {
  const errors = projects.reduce((sum, project) => sum + project.errors, 0)
  return (
    <p className="num mt-3 text-12 text-ink-3">
      {`${quantityText(projects.length, 'project')}, ${numberText(errors)} ${errors === 1 ? 'error' : 'errors'} stored in 24 h`}
    </p>
  )
}
