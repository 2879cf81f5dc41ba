/** How somebody has the list: its density and its columns, remembered for them. */
import { Icon } from '#ui/icons.tsx'
import { Menu, MenuHead, menuItem } from '#ui/menu.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import type { IssueListData } from './issue-list.server.ts'

const DENSITIES = [
  ['comfortable', 'Comfortable'],
  ['compact', 'Compact'],
] as const
const COLUMNS = [
  ['trend', 'Trend'],
  ['events', 'Events'],
  ['users', 'Users'],
  ['age', 'Age'],
  ['assignee', 'Assignee'],
] as const

export function ViewMenu({ preferences }: Pick<IssueListData, 'preferences'>) {
  const { density, hiddenColumns } = preferences
  return (
    <Menu
      align="end"
      className="btn btn-quiet btn-small px-0 max-phone:hidden"
      chevron={false}
      name="Columns and density"
      label={<Icon name="menu" size={14} />}
    >
      <ActionForm action="list.preferences">
        <MenuHead>Density</MenuHead>
        {DENSITIES.map(([value, label]) => (
          <button key={value} type="submit" name="density" value={value} className={menuItem}>
            <Tick on={density === value} />
            {label}
          </button>
        ))}
        <MenuHead>Columns</MenuHead>
        {COLUMNS.map(([value, label]) => (
          <button
            key={value}
            type="submit"
            name={hiddenColumns.includes(value) ? 'show' : 'hide'}
            value={value}
            className={menuItem}
          >
            <Tick on={!hiddenColumns.includes(value)} />
            {label}
          </button>
        ))}
      </ActionForm>
    </Menu>
  )
}

function Tick({ on }: { readonly on: boolean }) {
  return on ? <Icon name="check" size={14} label="on" /> : <span className="size-3.5 shrink-0" />
}
