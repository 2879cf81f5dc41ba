/** Project, environment, deploy and range as menus of links. */
import type { ReactNode } from 'react'
import { DocsLink } from '#parts/docs-link.tsx'
import { paths } from '#parts/paths.ts'
import { ProjectMenu } from '#parts/project-menu.tsx'
import { rangeOf } from '#parts/ranges.ts'
import { versionOf } from '#parts/release-text.ts'
import { Icon } from '#ui/icons.tsx'
import { Menu, menuItem } from '#ui/menu.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { SkewData } from './skew.server.ts'
import { SKEW_RANGES, type SkewAddress, skewQuery } from './skew-address.ts'

export function Filters({ data }: { readonly data: SkewData }) {
  const { org, address, deploy } = data
  const link = (change: Partial<SkewAddress>) => paths.skew(org, skewQuery(address, change))
  const range = rangeOf(address.range)
  return (
    <div className="flex flex-wrap items-center gap-2 px-6 pt-3 max-phone:px-4">
      <div className="relative flex gap-2 max-phone:w-full max-phone:overflow-x-auto">
        <ProjectMenu
          org={org}
          choices={data.choices}
          chosen={address.project === null ? [] : [address.project]}
          link={([slug = null]) => link({ project: slug })}
        />
        <Choice
          what="Environment"
          label={address.environment ?? 'All environments'}
          options={[
            {
              to: link({ environment: null }),
              text: 'All environments',
              isChosen: address.environment === null,
            },
            ...data.environments.map((name) => ({
              ...{ to: link({ environment: name }), text: name, isChosen: name === address.environment },
            })),
          ]}
        />
        {deploy === null ? null : (
          <Choice
            what="Deploy"
            label={<>Deploy {deployName(deploy)}</>}
            options={data.deploys.map((one) => ({
              to: link({ deploy: one.id, release: null }),
              text: deployName(one),
              isChosen: one.id === deploy.id,
            }))}
          />
        )}
        <Choice
          what="Time range"
          label={
            <>
              <Icon name="clock" size={14} /> <span className="max-phone:hidden">{range.label}</span>
              <span className="phone:hidden">{range.short}</span>
            </>
          }
          options={SKEW_RANGES.map(({ key, label }) => ({
            ...{ to: link({ range: key }), text: label, isChosen: key === address.range },
          }))}
        />
      </div>
      <span className="ms-auto text-12 text-ink-3 max-wide:hidden">
        A stale click counts once, even if browser and server both report it.{' '}
        <DocsLink to="skew#what-counts" />
      </span>
    </div>
  )
}

/** Returns the deploy's name for people. */
export function deployName({ release }: { readonly release: string | null }): string {
  return release === null ? 'unknown' : versionOf(release)
}

function Choice(props: {
  readonly what: string
  readonly label: ReactNode
  readonly options: readonly { readonly to: string; readonly text: string; readonly isChosen: boolean }[]
}) {
  return (
    <Menu
      className="btn touch max-w-60"
      label={
        <span className="inline-flex items-center gap-1 truncate">
          <span className="visually-hidden">{props.what}: </span>
          {props.label}
        </span>
      }
    >
      {props.options.map(({ to, text, isChosen }) => (
        <PageLink key={to} to={to} className={menuItem} aria-current={isChosen ? 'true' : undefined}>
          <span className="foreign">{text}</span>
        </PageLink>
      ))}
    </Menu>
  )
}
