/** The projects that a page is of, in its address: links, and a field where there are many. */
import { useRef } from 'react'
import { Menu } from '#ui/menu.tsx'
import { quantityText } from '#ui/number-text.ts'
import { type Choice, type Choices, useFound } from './choices.ts'
import { AllOf, ChoiceLink } from './filter-bar.tsx'
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
    <ChoiceLink key={slug} to={link(toggled(slug))} on={chosen.includes(slug)} stays={several === true}>
      {name}
    </ChoiceLink>
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
      <ChoiceLink to={link([])} on={chosen.length === 0}>
        All projects
      </ChoiceLink>
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

function ChosenText({ choices, chosen }: Pick<Parameters<typeof ProjectMenu>[0], 'choices' | 'chosen'>) {
  if (chosen.length === 0) return <AllOf subject="projects" />
  if (chosen.length > 1) return quantityText(chosen.length, 'project')
  return <span className="foreign">{choices.chosen[0]?.name ?? chosen[0]}</span>
}
