/** Menus of changes that only the page of an issue has. */
import { ChangeItem } from '#parts/change-menus.tsx'
import { PriorityMark } from '#parts/issue-marks.tsx'
import type { Issue } from '#parts/issue-types.ts'
import { versionOf } from '#parts/release-text.ts'
import { Icon } from '#ui/icons.tsx'
import { Menu, MenuHead, menuItem } from '#ui/menu.tsx'
import { PageLink } from '#wire/page-link.tsx'

/** Resolved in a release rather than now, as the other half of a split button: clients of older ones do not bring it back. */
export function ResolveMenu(props: {
  readonly className: string
  /** The project's latest release; `null`: none is known. */
  readonly latest: string | null
  /** Path to choose another release or a commit. */
  readonly other: string
}) {
  return (
    <Menu className={props.className} align="end" name="Resolve in a release" label={null}>
      <MenuHead>Resolve in</MenuHead>
      <ChangeItem change="resolve:latest">
        {props.latest === null ? 'The latest release' : `${versionOf(props.latest)}, the latest`}
      </ChangeItem>
      <ChangeItem change="resolve:next">The next release</ChangeItem>
      <PageLink className={menuItem} to={props.other}>
        Another release or a commit…
      </PageLink>
    </Menu>
  )
}

const PRIORITIES = ['high', 'medium', 'low'] as const

/** Menu of priorities; a chosen one stays. */
export function PriorityMenu(props: { readonly className: string; readonly issue: Issue }) {
  const { priority, prioritySetMs } = props.issue
  return (
    <Menu
      className={props.className}
      align="end"
      name={`Priority: ${priority}`}
      label={<PriorityMark priority={priority} withText />}
    >
      <MenuHead>{prioritySetMs === null ? 'Priority (automatic)' : 'Priority (set)'}</MenuHead>
      {PRIORITIES.map((each) => (
        <ChangeItem key={each} change={`priority:${each}`}>
          <PriorityMark priority={each} withText />
          {each === priority ? <Icon name="check" size={14} /> : null}
        </ChangeItem>
      ))}
    </Menu>
  )
}
