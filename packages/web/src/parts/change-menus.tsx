/** Menus of changes, as submit buttons of the `issue.change` form around them: they work without JavaScript. */
import { type ReactNode, useRef } from 'react'
import { Avatar } from '#ui/avatar.tsx'
import { Icon } from '#ui/icons.tsx'
import { Key } from '#ui/key.tsx'
import { Menu, MenuHead, MenuLine, menuItem } from '#ui/menu.tsx'
import { PageLink } from '#wire/page-link.tsx'
import { ARCHIVE_FOR, ARCHIVE_UNTIL, archiveEndText } from './archive-ends.ts'
import { type Choices, useFound } from './choices.ts'
import { FindField } from './find-field.tsx'

/** Menu that archives issues: forever, until so many more events or users came, or for a time. */
export function ArchiveMenu({
  className,
  buttonId,
  other,
}: {
  readonly className: string
  readonly buttonId?: string
  /** Path to type an own number. */
  readonly other?: string
}) {
  return (
    <Menu
      className={className}
      {...(buttonId === undefined ? {} : { buttonId })}
      label={
        <>
          Archive <Key>a</Key>
        </>
      }
    >
      <ChangeItem change="archive:escalating">Until it escalates</ChangeItem>
      <ChangeItem change="archive:forever">Forever</ChangeItem>
      <MenuLine />
      <MenuHead>Until there are</MenuHead>
      {ARCHIVE_UNTIL.map(archiveItem)}
      <MenuHead>For</MenuHead>
      {ARCHIVE_FOR.map(archiveItem)}
      {other === undefined ? null : (
        <PageLink className={menuItem} to={other}>
          Custom…
        </PageLink>
      )}
    </Menu>
  )
}

function archiveItem(end: string) {
  return (
    <ChangeItem key={end} change={`archive:${end}`}>
      {archiveEndText(end)}
    </ChangeItem>
  )
}

/** Assigned to a team, a member or nobody: a few are offered, others are found by typing. `current` has the tick. */
export function AssignMenu(props: {
  readonly className: string
  readonly org: string
  readonly choices: Choices
  /** Slug of the one project it is about. */
  readonly project?: string
  readonly currentTeam?: number | null
  readonly current?: { readonly userId: number; readonly name: string; readonly email: string } | null
  readonly label?: string
  /** Offered before anything is typed. */
  readonly first?: ReactNode
}) {
  const { current, currentTeam = null, choices } = props
  const { found, text, setText } = useFound(
    { org: props.org, of: 'assignees', project: props.project },
    choices,
  )
  const list = useRef<HTMLDivElement>(null)
  return (
    <Menu
      className={props.className}
      align="end"
      label={
        <>
          <Icon name="person" size={14} />
          {props.label === undefined ? null : <span className="visually-hidden">Assignee: </span>}
          <span className="max-w-32 truncate">{props.label ?? 'Assign'}</span>
        </>
      }
    >
      <FindField
        label="Find a person or team"
        text={text}
        onText={setText}
        onTake={() => list.current?.querySelector('button')?.click()}
      />
      {text === '' ? props.first : null}
      <ChangeItem change="assign:none">
        <Avatar name={null} />
        Unassigned
        {current === null && currentTeam === null ? <Icon name="check" size={14} /> : null}
      </ChangeItem>
      <div ref={list} className="contents">
        {found.teams.map((team) => (
          <ChangeItem key={`team ${team.id}`} change={`assign:team-${team.id}`}>
            <Avatar name={team.name} team />
            <span className="foreign">#{team.slug}</span>
            {currentTeam === team.id ? <Icon name="check" size={14} /> : null}
          </ChangeItem>
        ))}
        {found.people.map((person) => (
          <ChangeItem key={person.id} change={`assign:${person.id}`}>
            <Avatar name={person.name} />
            <span className="foreign">{person.name}</span>
            {current?.userId === person.id ? <Icon name="check" size={14} /> : null}
          </ChangeItem>
        ))}
      </div>
    </Menu>
  )
}

export function ChangeItem(props: { readonly change: string; readonly children: React.ReactNode }) {
  return (
    <button type="submit" name="change" value={props.change} className={menuItem}>
      {props.children}
    </button>
  )
}
