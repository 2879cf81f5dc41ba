/** Project, environment, deploy and range as menus of links. */
import { DocsLink } from '#parts/docs-link.tsx'
import { ChoiceMenu, FilterBar, RangeMenu } from '#parts/filter-bar.tsx'
import { paths } from '#parts/paths.ts'
import { ProjectMenu } from '#parts/project-menu.tsx'
import { versionOf } from '#parts/release-text.ts'
import type { SkewData } from './skew.server.ts'
import { SKEW_RANGES, type SkewAddress, skewQuery } from './skew-address.ts'

export function Filters({ data }: { readonly data: SkewData }) {
  const { org, address, deploy } = data
  const link = (change: Partial<SkewAddress>) => paths.skew(org, skewQuery(address, change))
  return (
    <FilterBar
      menus={
        <>
          <ProjectMenu
            org={org}
            choices={data.choices}
            chosen={address.project === null ? [] : [address.project]}
            link={([slug = null]) => link({ project: slug })}
          />
          <ChoiceMenu
            what="environment"
            chosen={address.environment === null ? [] : [address.environment]}
            options={data.environments.map((value) => ({ value, text: value }))}
            link={([environment = null]) => link({ environment })}
          />
          {deploy === null ? null : (
            <ChoiceMenu
              what="deploy"
              isRequired
              chosen={[deploy.id]}
              label={`Deploy ${deployName(deploy)}`}
              options={data.deploys.map((one) => ({ value: one.id, text: optionName(one, data.deploys) }))}
              link={([id = deploy.id]) => link({ deploy: id, release: null })}
            />
          )}
          <RangeMenu ranges={SKEW_RANGES} chosen={address.range} link={(range) => link({ range })} />
        </>
      }
    >
      <span className="ms-auto text-12 text-ink-3 max-wide:hidden">
        A stale click counts once, even if browser and server both report it.{' '}
        <DocsLink to="skew#what-counts" />
      </span>
    </FilterBar>
  )
}

/** Returns its name, and where it is, if another deploy has the same name. */
function optionName(deploy: Deploy, all: readonly Deploy[]): string {
  const name = deployName(deploy)
  if (all.every((other) => other.id === deploy.id || deployName(other) !== name)) return name
  const place = [...deploy.projects.map((project) => project.name), deploy.environment]
  return [name, ...place.filter((part) => part !== '')].join(' · ')
}
type Deploy = SkewData['deploys'][number]

/** Returns the deploy's name for people. */
export function deployName({ release }: { readonly release: string | null }): string {
  return release === null ? 'unknown' : versionOf(release)
}
