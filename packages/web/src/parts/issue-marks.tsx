/** State and kind of an issue, as list, issue page and digest show them. */
import type { ReactNode } from 'react'
import { Avatar } from '#ui/avatar.tsx'
import { Badge } from '#ui/badge.tsx'
import { Chip, type ChipTone } from '#ui/chip.tsx'
import type { IconName } from '#ui/icons.tsx'
import { quantityText } from '#ui/number-text.ts'
import { Time } from '#ui/time.tsx'
import { NEWS_WORDS } from './issue-title.ts'
import type { Issue, RequestKind } from './issue-types.ts'
import { versionOf } from './release-text.ts'
import { REQUEST_KINDS } from './request-kinds.ts'

type IssueState = Pick<
  Issue,
  'status' | 'substatus' | 'archivedEventsLeft' | 'archivedUsersLeft' | 'archivedUntilMs' | 'resolvedIn'
>

interface StateWord {
  readonly text: ReactNode
  readonly tone: ChipTone
}

/** The state in one word; `null` for ongoing, which is the normal case. */
export function stateWord(issue: IssueState): StateWord | null {
  if (issue.status === 'resolved') return { text: resolvedMarkText(issue), tone: 'good' }
  if (issue.status === 'archived') {
    return { text: archivedText(issue), tone: 'outline' }
  }
  switch (issue.substatus) {
    case 'new':
      return { text: NEWS_WORDS.new, tone: 'new' }
    case 'regressed':
      return { text: NEWS_WORDS.regressed, tone: 'bad' }
    case 'escalating':
      return { text: NEWS_WORDS.escalating, tone: 'warn' }
    case 'waiting':
      return { text: NEWS_WORDS.waiting, tone: 'outline' }
    default:
      return null
  }
}

function resolvedMarkText({ resolvedIn }: IssueState): string {
  if (resolvedIn === null) return 'Resolved'
  if (resolvedIn.how === 'commit') return 'Resolved in a commit'
  const version = versionOf(resolvedIn.release)
  return resolvedIn.how === 'next' ? `Resolved after ${version}` : `Resolved in ${version}`
}

/** Describes what is left of the first end that was named. */
function archivedText({
  substatus,
  archivedEventsLeft,
  archivedUsersLeft,
  archivedUntilMs,
}: IssueState): ReactNode {
  if (substatus === 'archived_until_escalating') return 'Archived until it escalates'
  if (archivedEventsLeft !== null) return `Archived until ${quantityText(archivedEventsLeft, 'more event')}`
  if (archivedUsersLeft !== null) return `Archived until ${quantityText(archivedUsersLeft, 'more user')}`
  if (archivedUntilMs === null) return 'Archived'
  return (
    <span>
      Archived until <Time ms={archivedUntilMs} form="moment" />
    </span>
  )
}

export function StateChip({ issue }: { readonly issue: IssueState }) {
  const word = stateWord(issue)
  return word === null ? null : <Chip tone={word.tone}>{word.text}</Chip>
}

/** Badge of a request kind. */
export function KindBadge({ kind, iconOnly }: { readonly kind: RequestKind; readonly iconOnly?: boolean }) {
  const known = REQUEST_KINDS[kind]
  if (known === null) return null
  return <Badge icon={known.icon} label={known.label} iconOnly={iconOnly === true} />
}

const KINDS_SHOWN = 3

/** The kinds of an issue, most frequent first. */
export function KindBadges({
  kinds,
  iconOnly,
}: {
  readonly kinds: Issue['kinds']
  readonly iconOnly?: boolean
}) {
  return kinds
    .filter(({ kind }) => kind !== 'other')
    .slice(0, KINDS_SHOWN)
    .map(({ kind }) => <KindBadge key={kind} kind={kind} iconOnly={iconOnly === true} />)
}

const CATEGORY_BADGES: Readonly<
  Partial<Record<Issue['category'], { readonly label: string; readonly icon: IconName }>>
> = {
  hydration: { label: 'hydration', icon: 'hydration' },
  skew: { label: 'deploy skew', icon: 'skew' },
}

/** Badge of a cause; where the rest failed, their kinds tell. */
export function CategoryBadge({ category }: { readonly category: Issue['category'] }) {
  const known = CATEGORY_BADGES[category]
  return known === undefined ? null : <Badge icon={known.icon} label={known.label} />
}

const BARS = { high: 3, medium: 2, low: 1 } as const
const PRIORITY_TEXT = { high: 'High', medium: 'Medium', low: 'Low' } as const

/** Mark of a priority: one to three bars. */
export function PriorityMark(props: { readonly priority: Issue['priority']; readonly withText?: boolean }) {
  const { priority, withText = false } = props
  const text = PRIORITY_TEXT[priority]
  return (
    <span
      className={`inline-flex shrink-0 items-center gap-1.5 ${priority === 'high' ? 'text-ink' : 'text-ink-3'}`}
      title={`Priority: ${text.toLowerCase()}`}
    >
      <svg viewBox="0 0 10 10" width="10" height="10" fill="currentColor" aria-hidden="true">
        {[0, 1, 2].map((bar) => (
          <rect
            key={bar}
            x={bar * 3.6}
            y={6 - bar * 3}
            width="2.6"
            height={4 + bar * 3}
            rx="0.6"
            opacity={bar < BARS[priority] ? 1 : 0.25}
          />
        ))}
      </svg>
      {withText ? (
        <span className="text-ink">{text}</span>
      ) : (
        <span className="visually-hidden">{`${text} priority`}</span>
      )}
    </span>
  )
}

/** A name, an email or `#team`. */
export function assigneeText({ assignee, assigneeTeam }: Pick<Issue, 'assignee' | 'assigneeTeam'>): string {
  if (assigneeTeam !== null) return `#${assigneeTeam.slug}`
  return assignee === null ? 'Unassigned' : assignee.name || assignee.email
}

/** Mark of the assignee; nobody is a dashed ring. */
export function AssigneeMark({ issue }: { readonly issue: Pick<Issue, 'assignee' | 'assigneeTeam'> }) {
  const { assignee, assigneeTeam } = issue
  if (assigneeTeam !== null) return <Avatar name={assigneeTeam.name || assigneeTeam.slug} team />
  return <Avatar name={assignee === null ? null : assigneeText(issue)} />
}
