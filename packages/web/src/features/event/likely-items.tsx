import { ChangeItem } from '#parts/change-menus.tsx'
import type { LikelyAssignee } from '#parts/likely-assignees.ts'
import { Avatar } from '#ui/avatar.tsx'
import { menuItem } from '#ui/menu.tsx'
import { PageLink } from '#wire/page-link.tsx'

/** Most likely assignees with the reason; who is no member is invited, by whom may do that. */
export function LikelyItems(props: {
  readonly likely: readonly LikelyAssignee[]
  readonly invite: ((email: string) => string) | null
}) {
  return props.likely.map(({ assign, name, why, email }) => {
    const inside = (
      <>
        <Avatar name={name} />
        <span className="foreign">{name}</span>
        <span className="ms-auto text-12 text-ink-3">{why}</span>
      </>
    )
    if (assign !== null)
      return (
        <ChangeItem key={assign} change={`assign:${assign}`}>
          {inside}
        </ChangeItem>
      )
    if (email === null || props.invite === null) return null
    return (
      <PageLink key={email} className={menuItem} to={props.invite(email)}>
        {inside}
        <span className="text-12">Invite</span>
      </PageLink>
    )
  })
}
