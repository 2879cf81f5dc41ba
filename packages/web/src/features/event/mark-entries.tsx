/** Follow an issue, or keep it at hand: of the viewer alone, whatever their role. */
import { menuItem } from '#ui/menu.tsx'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { EventIcon, type EventIconName } from './event-icon.tsx'
import type { IssueShared } from './issue.server.ts'

export function MarkEntries({ data }: { readonly data: IssueShared }) {
  const { issue, mark } = data.view
  if (mark === null) return null
  const isSubscribed = mark.subscription !== null && mark.subscription !== 'off'
  return (
    <>
      <MarkEntry
        issue={issue.shortId}
        change={mark.isBookmarked ? 'unbookmark' : 'bookmark'}
        icon="bookmark"
        isOn={mark.isBookmarked}
        label={mark.isBookmarked ? 'Remove bookmark' : 'Bookmark'}
        done={mark.isBookmarked ? 'Bookmark removed' : 'Bookmarked'}
      />
      <MarkEntry
        issue={issue.shortId}
        change={isSubscribed ? 'unsubscribe' : 'subscribe'}
        icon="bell"
        isOn={isSubscribed}
        label={isSubscribed ? `Unsubscribe (${REASONS[mark.subscription]})` : 'Subscribe'}
        done={isSubscribed ? 'Unsubscribed' : 'Subscribed: changes and comments are emailed to you'}
      />
      <MarkEntry
        issue={issue.shortId}
        change={mark.isMuted ? 'unmute' : 'mute'}
        icon="bell"
        isOn={mark.isMuted}
        label={mark.isMuted ? 'Unmute' : 'Mute for me'}
        done={mark.isMuted ? 'Unmuted' : 'Muted: you get no messages about this issue'}
      />
    </>
  )
}

const REASONS = {
  manual: 'you subscribed',
  comment: 'you commented',
  assigned: 'you were assigned',
  mentioned: 'you were mentioned',
} as const

function MarkEntry(props: {
  readonly issue: string
  readonly change: string
  readonly icon: EventIconName
  readonly isOn: boolean
  readonly label: string
  readonly done: string
}) {
  const toast = useToast()
  const { issue, change, isOn } = props
  return (
    <ActionForm
      action="issue.mark"
      hidden={{ ref: issue, mark: change }}
      onResult={() => toast({ text: props.done })}
    >
      {({ pending }) => (
        <button type="submit" className={menuItem} aria-busy={pending ? true : undefined}>
          <EventIcon
            name={props.icon}
            size={14}
            {...(isOn ? { className: 'fill-current text-accent' } : {})}
          />
          {props.label}
        </button>
      )}
    </ActionForm>
  )
}
