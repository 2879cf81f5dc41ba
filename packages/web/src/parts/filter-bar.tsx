/** The bar above a list: choices as menus of links, so that all of it lives in the address. */
import type { ReactNode } from 'react'
import { Icon } from '#ui/icons.tsx'
import { Menu, MenuHead, MenuLine, menuItem } from '#ui/menu.tsx'
import { quantityText } from '#ui/number-text.ts'
import { PageLink } from '#wire/page-link.tsx'

/** On a phone the menus are one row that scrolls. */
export function FilterBar(props: { readonly menus: ReactNode; readonly children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-start gap-2 px-6 pt-3 max-phone:px-4">
      <div className="relative flex gap-2 phone:flex-wrap max-phone:w-full max-phone:overflow-x-auto">
        {props.menus}
      </div>
      {props.children}
    </div>
  )
}

/** Mark before an entry that is chosen, or its room. */
export function Tick({ on }: { readonly on: boolean }) {
  return on ? <Icon name="check" size={14} /> : <span className="size-3.5 shrink-0" />
}

/** An entry of a menu of choices. */
export function ChoiceLink(props: {
  readonly to: string
  readonly on: boolean
  /** The menu stays open, for more of them. */
  readonly stays?: boolean
  readonly children: ReactNode
}) {
  const { to, on, stays, children } = props
  return (
    <PageLink
      to={to}
      className={menuItem}
      aria-current={on ? 'true' : undefined}
      {...(stays === true && { 'data-stay': '' })}
    >
      <Tick on={on} />
      <span className="foreign">{children}</span>
    </PageLink>
  )
}

/** `All environments`; a phone has room for the subject alone. */
export function AllOf({ subject }: { readonly subject: string }) {
  return (
    <>
      <span className="max-wide:sr-only">All </span>
      <span className="max-wide:inline-block max-wide:first-letter:uppercase">{subject}</span>
    </>
  )
}

/** Menu of values of which one, or several, are chosen; `link` gets all that are chosen then. */
export function ChoiceMenu<Value extends string | number>(props: {
  /** Subject in the singular: `environment`. */
  readonly what: string
  readonly chosen: readonly Value[]
  readonly options: readonly { readonly value: Value; readonly text: string; readonly note?: ReactNode }[]
  readonly link: (values: readonly Value[]) => string
  readonly several?: boolean
  /** True if there is no choice of none. */
  readonly isRequired?: boolean
  /** Text on the button in place of what is chosen. */
  readonly label?: ReactNode
  readonly head?: string
}) {
  const { what, chosen, options, link, several = false, isRequired, head } = props
  const [first] = chosen
  const name = options.find(({ value }) => value === first)?.text ?? first
  const many = `${what}s`
  return (
    <Menu
      className="btn touch max-w-60"
      label={
        <span className="truncate">
          <span className="visually-hidden">{what}: </span>
          {props.label ??
            (first === undefined ? (
              <AllOf subject={many} />
            ) : chosen.length > 1 ? (
              quantityText(chosen.length, what)
            ) : (
              <span className="foreign">{name}</span>
            ))}
        </span>
      }
      disabledReason={options.length + chosen.length === 0 ? `There are no ${many} yet` : undefined}
    >
      {isRequired === true ? null : (
        <ChoiceLink to={link([])} on={first === undefined}>{`All ${many}`}</ChoiceLink>
      )}
      {head === undefined ? null : (
        <>
          <MenuLine />
          <MenuHead>{head}</MenuHead>
        </>
      )}
      {options.map(({ value, text, note }) => {
        const on = chosen.includes(value)
        const others = chosen.filter((each) => each !== value)
        const next = several ? (on ? others : [...chosen, value]) : [value]
        return (
          <ChoiceLink key={value} to={link(next)} on={on} stays={several}>
            {text}
            {note}
          </ChoiceLink>
        )
      })}
    </Menu>
  )
}

/** The range of time, by how long it is back from now. */
export function RangeMenu<Key extends string>(props: {
  readonly ranges: readonly { readonly key: Key; readonly label: string; readonly short: string }[]
  /** `null`: another stretch of time, which `label` names. */
  readonly chosen: Key | null
  readonly label?: ReactNode
  readonly link: (range: Key) => string
  /** Below the ranges. */
  readonly children?: ReactNode
}) {
  const { ranges, chosen, label, link, children } = props
  const range = ranges.find(({ key }) => key === chosen)
  return (
    <Menu
      className="btn touch"
      label={
        <>
          <Icon name="clock" size={14} />
          <span className="visually-hidden">Time range: </span>
          {range === undefined ? (
            label
          ) : (
            <>
              <span className="max-wide:hidden">{range.label}</span>
              <span className="wide:hidden">{range.short}</span>
            </>
          )}
        </>
      }
    >
      {ranges.map(({ key, label: text }) => (
        <ChoiceLink key={key} to={link(key)} on={key === chosen}>
          {text}
        </ChoiceLink>
      ))}
      {children}
    </Menu>
  )
}
