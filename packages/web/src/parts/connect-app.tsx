import { buttonClass } from '#ui/button.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { paths } from './paths.ts'

/** Leads to the set-up guide of a project; without one, to a new project. */
export function ConnectApp({ org, project }: { readonly org: string; readonly project: string | undefined }) {
  return (
    <PageLink
      className={buttonClass('primary', 'normal', 'touch')}
      to={project === undefined ? paths.newProject(org) : paths.firstEvent(org, project)}
    >
      {project === undefined ? 'New project' : 'Connect an app'}
    </PageLink>
  )
}
