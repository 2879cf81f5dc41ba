/** Environment, range and release as menus of links: what figures are of lives in the URL. */
import { ChoiceMenu, RangeMenu } from '#parts/filter-bar.tsx'
import { RangeName } from '#parts/range-name.tsx'
import { versionOf } from '#parts/release-text.ts'
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
  return (
    <>
      <ChoiceMenu
        what="environment"
        chosen={address.environment === null ? [] : [address.environment]}
        link={([environment = null]) => link({ environment })}
        options={props.environments.map((value) => ({ value, text: value }))}
      />
      <RangeMenu
        ranges={PERFORMANCE_RANGES}
        chosen={address.chosen === null ? address.range : null}
        label={<RangeName address={address} />}
        link={(range) => link({ range })}
      />
      <ChoiceMenu
        what="release"
        chosen={address.release === null ? [] : [address.release]}
        label={address.release === null ? undefined : versionOf(address.release)}
        link={([release = null]) => link({ release })}
        options={props.releases.map((value) => ({ value, text: versionOf(value) }))}
      />
    </>
  )
}
