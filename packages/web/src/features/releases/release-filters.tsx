/** Project, environment, order and state as menus of links, and the search. All of it lives in the URL. */
import { ChoiceMenu, FilterBar } from '#parts/filter-bar.tsx'
import { FindForm } from '#parts/find-form.tsx'
import { paths } from '#parts/paths.ts'
import { ProjectMenu } from '#parts/project-menu.tsx'
import { usePageData } from '#wire/page-data.ts'
import type { loadReleases } from './releases.server.ts'
import { type ReleasesAddress, releasesQuery, SORT_LABELS } from './releases-params.ts'

type Data = Awaited<ReturnType<typeof loadReleases>>

/** Returns the path of the list with some of its address changed. */
export function listPath(
  { org, address }: Pick<Data, 'org' | 'address'>,
  change: Partial<ReleasesAddress> = {},
): string {
  return paths.releases(org, releasesQuery(address, change))
}

const SORTS = ['date', 'semver', 'new', 'events'] as const
const STATES = [
  { value: 'open', text: 'Open' },
  { value: 'archived', text: 'Archived' },
] as const

export function ReleaseFilters() {
  const data = usePageData<typeof loadReleases>()
  const { org, address, choices, environments } = data
  const { sort, status, project, environment } = address
  return (
    <FilterBar
      menus={
        <>
          <ProjectMenu
            org={org}
            choices={choices}
            chosen={project === '' ? [] : [project]}
            link={([slug = '']) => listPath(data, { project: slug })}
          />
          <ChoiceMenu
            what="environment"
            chosen={environment === '' ? [] : [environment]}
            options={environments.map((value) => ({ value, text: value }))}
            link={([name = '']) => listPath(data, { environment: name })}
          />
          <ChoiceMenu
            what="order"
            isRequired
            chosen={[sort]}
            label={
              <>
                <span className="text-ink-3">Order</span> {SORT_LABELS[sort]}
              </>
            }
            options={SORTS.map((value) => ({ value, text: SORT_LABELS[value] }))}
            link={([next = sort]) => listPath(data, { sort: next })}
          />
          <ChoiceMenu
            what="state"
            isRequired
            chosen={[status]}
            options={STATES}
            link={([next = status]) => listPath(data, { status: next })}
          />
        </>
      }
    >
      <FindForm
        action={paths.releases(org)}
        text={address.query}
        kept={releasesQuery(address)}
        label="Find a release by its version, or a commit of it"
        placeholder="Version or commit"
      />
    </FilterBar>
  )
}
