/** Projects: what came of late, and how each fares. */
import { useCan } from '#parts/frame-data.ts'
import { Page, PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { useNow } from '#ui/time.tsx'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import { healthOf, healthSummary } from './health-text.ts'
import type { loadProjects, ProjectRow } from './projects.server.ts'
import { ProjectsTable } from './projects-table.tsx'

type ProjectsData = Awaited<ReturnType<typeof loadProjects>>

export function ProjectsView() {
  const data = usePageData<typeof loadProjects>()
  const { org, projects, total, query } = data
  const mayCreate = useCan('project.create')
  return (
    <Page wide>
      <PageHead
        title="Projects"
        end={
          <div className="flex flex-wrap items-center gap-2 max-phone:order-last max-phone:w-full">
            {total === 0 ? null : <Search data={data} />}
            {mayCreate ? (
              <PageLink to={paths.newProject(org)} className={buttonClass('primary', 'normal', 'touch')}>
                New project
              </PageLink>
            ) : null}
          </div>
        }
      >
        {projects.length > 1 ? <Summary projects={projects} /> : undefined}
      </PageHead>
      {projects.length > 0 ? (
        <>
          <ProjectsTable org={org} projects={projects} />
          <Footer projects={projects} />
        </>
      ) : total > 0 ? (
        <Empty
          title="No project matches"
          next={
            <PageLink className={buttonClass()} to={paths.projects(org)}>
              Show all projects
            </PageLink>
          }
        >
          <span className="foreign">
            No name, platform or team of {quantityText(total, 'project')} has “{query}”.
          </span>
        </Empty>
      ) : (
        <Empty title="No projects">
          {mayCreate
            ? 'A project is one app or service. Create one to receive its events.'
            : 'Teams give access to projects. An owner or manager can add you to a team.'}
        </Empty>
      )}
    </Page>
  )
}

function Search({ data: { org, query, queryCharsMax } }: { readonly data: ProjectsData }) {
  return (
    <search className="w-60 max-phone:w-full">
      <form method="get" action={paths.projects(org)}>
        <input
          // Another address brings another search.
          key={query}
          type="search"
          name="query"
          className="field touch w-full"
          defaultValue={query}
          maxLength={queryCharsMax}
          placeholder="Name, platform, team…"
          aria-label="Find a project"
        />
      </form>
    </search>
  )
}

/** Errata’s own project is news only where it has failures. */
function Summary({ projects }: { readonly projects: readonly ProjectRow[] }) {
  const nowMs = useNow()
  const told = projects
    .filter(({ isSelf, isEmpty }) => !(isSelf && isEmpty))
    .map((project) => ({ name: project.name, health: healthOf(project, nowMs) }))
  return (
    <p>
      {healthSummary(told).map(({ name, says, begins }, index) => (
        <span key={`${name} ${says}`}>
          {index === 0 ? null : begins ? '. ' : ', '}
          {name === null ? null : <b className="foreign font-strong text-ink">{name} </b>}
          {says}
        </span>
      ))}
      .
    </p>
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
