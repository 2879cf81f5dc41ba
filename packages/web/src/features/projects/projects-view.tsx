/** Projects: what came of late, and how each fares. */
import { DocsLink } from '#parts/docs-link.tsx'
import { FindForm } from '#parts/find-form.tsx'
import { FindPerson } from '#parts/find-person.tsx'
import { useCan } from '#parts/frame-data.ts'
import { Page, PageHead } from '#parts/page-head.tsx'
import { paths } from '#parts/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { usePageData } from '#wire/page-data.ts'
import { PageLink } from '#wire/page-link.tsx'
import type { loadProjects } from './projects.server.ts'
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
          <div className="flex items-center gap-2 max-phone:order-last max-phone:w-full">
            {total === 0 ? null : (
              <FindForm
                action={paths.projects(org)}
                text={data.query}
                charsMax={data.queryCharsMax}
                label="Find a project"
                placeholder="Name, platform, team…"
                className="w-60 max-phone:w-auto max-phone:flex-1"
              />
            )}
            {mayCreate ? (
              <PageLink to={paths.newProject(org)} className={buttonClass('primary', 'normal', 'touch')}>
                New project
              </PageLink>
            ) : null}
          </div>
        }
      >
        {data.summary.length > 0 ? <Summary parts={data.summary} /> : undefined}
      </PageHead>
      {projects.length > 0 ? (
        <>
          <ProjectsTable org={org} projects={projects} />
          <Footer data={data} />
        </>
      ) : total > 0 ? (
        <Empty
          title="No project matches"
          next={
            <>
              <PageLink className={buttonClass()} to={paths.projects(org)}>
                Show all projects
              </PageLink>
              <FindPerson org={org} text={query} />
            </>
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
            : 'Teams give access to projects. An owner or manager can add you to a team.'}{' '}
          <DocsLink to="projects" />
        </Empty>
      )}
    </Page>
  )
}

function Summary({ parts }: { readonly parts: ProjectsData['summary'] }) {
  return (
    <p>
      {parts.map(({ name, says, begins }, index) => (
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

function Footer({ data }: { readonly data: ProjectsData }) {
  const { org, query, found, errors, page, pages } = data
  const link = (to: number) => paths.projects(org, { query, page: to === 1 ? null : to })
  return (
    <footer className="mt-3 flex flex-wrap items-center gap-2 text-12 text-ink-3">
      <span className="num flex-1">
        {`${quantityText(found, 'project')}, ${numberText(errors)} ${errors === 1 ? 'error' : 'errors'} stored in 24 h`}
      </span>
      {page > 1 ? (
        <PageLink className="btn touch" to={link(page - 1)}>
          Previous
        </PageLink>
      ) : null}
      {page < pages ? (
        <PageLink className="btn touch" to={link(page + 1)}>
          Next
        </PageLink>
      ) : null}
    </footer>
  )
}
