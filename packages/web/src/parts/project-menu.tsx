/** The projects that a page is of, in its address: links, and a field where there are many. */
import { type ReactNode, useRef } from 'react'
import { Icon } from '#ui/icons.tsx'
import { Menu, menuItem } from '#ui/menu.tsx'
import { quantityText } from '#ui/number-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { type Choice, type Choices, useFound } from './choices.ts'
import { FindField } from './find-field.tsx'

export interface ProjectChoices extends Choices {
  /** Projects of the address. */
  readonly chosen: readonly Choice[]
}

export function ProjectMenu(props: {
  readonly org: string
  readonly choices: ProjectChoices
  /** Slugs, as the address has them. */
  readonly chosen: readonly string[]
  readonly link: (slugs: readonly string[]) => string
  /** Each is added to those that are chosen, or taken from them. */
  readonly several?: true
  /** Text in place of *All projects*. */
  readonly all?: ReactNode
}) {
  const { choices, chosen, link, several } = props
  const { found, text, setText } = useFound({ org: props.org, of: 'projects' }, choices)
  const list = useRef<HTMLDivElement>(null)
  const others = found.projects.filter(({ slug }) => !chosen.includes(slug))
  const isNone = choices.projects.length === 0 && chosen.length === 0 && !choices.isPart
  const toggled = (slug: string) =>
    several === undefined
      ? [slug]
      : chosen.includes(slug)
        ? chosen.filter((one) => one !== slug)
        : [...chosen, slug]
  const item = ({ slug, name }: Choice) => (
    <Item
      key={slug}
      to={link(toggled(slug))}
      on={chosen.includes(slug)}
      {...(several === true && { 'data-stay': '' })}
    >
      {name}
    </Item>
  )
  return (
    <Menu
      className="btn touch max-w-60"
      label={
        <span className="truncate">
          <span className="visually-hidden">Project: </span>
          <ChosenText {...props} />
        </span>
      }
      disabledReason={isNone ? 'There are no projects yet' : undefined}
    >
      {choices.isPart ? (
        <FindField
          label="Find a project"
          text={text}
          onText={setText}
          onTake={() => list.current?.querySelector('a')?.click()}
        />
      ) : null}
      <Item to={link([])} on={chosen.length === 0}>
        All projects
      </Item>
      {choices.chosen.map(item)}
      <div ref={list} className="contents">
        {others.map(item)}
      </div>
      {choices.isPart ? (
        <p className="px-2 py-1 text-12 text-ink-3">
          {others.length === 0 ? 'No project matches.' : 'Type to find others.'}
        </p>
      ) : null}
    </Menu>
  )
}

function ChosenText({
  all,
  choices,
  chosen,
}: Pick<Parameters<typeof ProjectMenu>[0], 'all' | 'choices' | 'chosen'>) {
  if (chosen.length === 0) return all ?? 'All projects'
  if (chosen.length > 1) return quantityText(chosen.length, 'project')
  return <span className="foreign">{choices.chosen[0]?.name ?? chosen[0]}</span>
}

function Item({
  to,
  on,
  children,
  ...rest
}: {
  readonly to: string
  readonly on: boolean
  readonly children: ReactNode
  readonly 'data-stay'?: string
}) {
  return (
    <PageLink {...rest} to={to} className={menuItem} aria-current={on ? 'true' : undefined}>
      {on ? <Icon name="check" size={14} /> : <span className="size-3.5 shrink-0" />}
      <span className="foreign">{children}</span>
    </PageLink>
  )
}
