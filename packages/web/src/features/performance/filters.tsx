/** Project, environment, release and range as menus of links: what figures are of lives in the URL. */
import type { ReactNode } from 'react'
import { RangeName } from '#parts/range-name.tsx'
import { rangeOf } from '#parts/ranges.ts'
import { versionOf } from '#parts/release-text.ts'
import { Icon } from '#ui/icons.tsx'
import { Menu, menuItem } from '#ui/menu.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { type FilterAddress, PERFORMANCE_RANGES } from './performance-address.ts'

/** A part of the address, and the page with another one. */
export type LinkOf = (change: Partial<FilterAddress>) => string

export function NarrowMenus(props: {
  readonly address: FilterAddress
  readonly environments: readonly string[]
  readonly releases: readonly string[]
  readonly link: LinkOf
}) {
  const { address, link } = props
  const range = rangeOf(address.range)
  return (
    <>
      <Choice
        what="Environment"
        all="All environments"
        chosen={address.environment}
        label={address.environment}
        link={(environment) => link({ environment })}
        options={props.environments.map((value) => ({ value, text: value }))}
      />
      <Menu
        className="btn touch"
        label={
          <>
            <Icon name="clock" size={14} />
            <span className="visually-hidden">Time range: </span>
            {address.chosen === null ? (
              <>
                <span className="max-phone:hidden">{range.label}</span>
                <span className="phone:hidden">{range.short}</span>
              </>
            ) : (
              <RangeName address={address} />
            )}
          </>
        }
      >
        {PERFORMANCE_RANGES.map(({ key, label }) => (
          <PageLink
            key={key}
            to={link({ range: key })}
            className={menuItem}
            aria-current={address.chosen === null && key === address.range ? 'true' : undefined}
          >
            {label}
          </PageLink>
        ))}
      </Menu>
      <Choice
        what="Release"
        all="All releases"
        chosen={address.release}
        label={address.release === null ? null : versionOf(address.release)}
        link={(release) => link({ release })}
        options={props.releases.map((value) => ({ value, text: versionOf(value) }))}
      />
    </>
  )
}

function Choice(props: {
  readonly what: string
  readonly all: string
  readonly chosen: string | null
  readonly label: ReactNode
  readonly link: (value: string | null) => string
  readonly options: readonly { readonly value: string; readonly text: string }[]
}) {
  const { chosen, options } = props
  const isNone = options.length === 0 && chosen === null
  return (
    <Menu
      className="btn touch max-w-60"
      label={
        <span className="truncate">
          <span className="visually-hidden">{props.what}: </span>
          {props.label ?? props.all}
        </span>
      }
      disabledReason={isNone ? `There is no ${props.what.toLowerCase()} to choose` : undefined}
    >
      <PageLink
        to={props.link(null)}
        className={menuItem}
        aria-current={chosen === null ? 'true' : undefined}
      >
        {props.all}
      </PageLink>
      {options.map(({ value, text }) => (
        <PageLink
          key={value}
          to={props.link(value)}
          className={menuItem}
          aria-current={value === chosen ? 'true' : undefined}
        >
          <span className="foreign">{text}</span>
        </PageLink>
      ))}
    </Menu>
  )
}
