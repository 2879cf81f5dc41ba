/** The list that the issue was opened from, and the way to the issues before and after it: `k` and `j`. */

import { useShortcuts } from '#parts/shortcuts.tsx'
import { Icon, type IconName } from '#ui/icons.tsx'
import { numberText } from '#ui/number-text.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useNavigate } from '#wire/router.ts'
import type { IssueShared } from './issue.server.ts'

export function IssueWalk({ list }: { readonly list: IssueShared['list'] }) {
  const { walk } = list
  const navigate = useNavigate()
  const go = (path: string | null | undefined) => {
    if (path) void navigate(path)
  }
  useShortcuts([
    { keys: 'j', label: 'Next issue', run: () => go(walk?.next) },
    { keys: 'k', label: 'Previous issue', run: () => go(walk?.previous) },
  ])
  if (walk === null || walk.total === 0) return null
  return (
    <div className="ms-auto flex shrink-0 items-center gap-3 text-12">
      <ListPlace list={list} className="max-phone:hidden" />
      <nav aria-label="Issues of the list" className="segmented touch bg-raised">
        <Step to={walk.previous} icon="chevron-left" label="Previous issue" />
        <Step to={walk.next} icon="chevron-right" label="Next issue" />
      </nav>
    </div>
  )
}

/** "3 of 16 in Unresolved"; of an issue that has left the list only how many it has. */
export function ListPlace({
  list,
  className,
}: {
  readonly list: IssueShared['list']
  readonly className: string
}) {
  const { walk, label, back } = list
  if (walk === null || walk.total === 0) return null
  const { position, total } = walk
  return (
    <span className={`num text-ink-3 ${className}`}>
      {position === null ? null : (
        <>
          <b className="font-strong text-ink">{numberText(position)}</b> of{' '}
        </>
      )}
      {numberText(total)} in{' '}
      <PageLink to={back} className="link link-text link-alone">
        {label}
      </PageLink>
    </span>
  )
}

const ENDS = {
  'Previous issue': 'This is the first issue of the list',
  'Next issue': 'This is the last issue of the list',
}

function Step(props: {
  readonly to: string | null
  readonly icon: IconName
  readonly label: keyof typeof ENDS
}) {
  const { to, icon, label } = props
  if (to === null) {
    return (
      <span
        aria-disabled="true"
        title={ENDS[label]}
        className="cursor-not-allowed justify-center text-line-2 max-phone:w-11"
      >
        <Icon name={icon} size={14} label={`${label}: ${ENDS[label]}`} />
      </span>
    )
  }
  return (
    <PageLink
      to={to}
      prefetch
      title={`${label} (${label === 'Next issue' ? 'j' : 'k'})`}
      className="justify-center max-phone:w-11"
    >
      <Icon name={icon} size={14} label={label} />
    </PageLink>
  )
}
