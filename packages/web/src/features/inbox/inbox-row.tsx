import type { InboxEntry } from '@errata/server/queries'
import { paths } from '#parts/paths.ts'
import { Button } from '#ui/button.tsx'
import { Icon, type IconName } from '#ui/icons.tsx'
import { LevelMark } from '#ui/level-mark.tsx'
import { Time } from '#ui/time.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import type { Action } from '#wire/define-action.ts'
import { PageLink } from '#wire/page-link.tsx'
import { useAction } from '#wire/use-action.ts'
import { entryLine, entryText } from './entry-words.ts'

const ICONS: Readonly<Record<InboxEntry['kind'], IconName>> = {
  mention: 'person',
  assignment: 'arrow',
  regression: 'arrow-up',
  activity: 'bookmark',
  alert: 'check',
  delivery: 'close',
}

export function InboxRow(props: {
  readonly entry: InboxEntry
  /** Its name, where the reader has several. */
  readonly organisation: string | null
}) {
  const { entry, organisation } = props
  const { issue, isRead, alert } = entry
  const { run } = useAction<Action<unknown, { readonly entries: readonly string[] }>>('inbox.mark')
  const text = entryText(entry)
  const open = () => {
    // Behind the navigation: the page that is opened says if it cannot be reached.
    if (!isRead) void run({ entries: [String(entry.id)] })
  }
  return (
    <li className="grid grid-cols-[14px_minmax(0,1fr)_auto] items-start gap-3 border-b py-2.5">
      <span className={`mt-1 ${isBadNews(entry) ? 'text-bad' : 'text-ink-3'}`}>
        {alert === null || alert.level === 'ok' ? (
          <Icon name={ICONS[entry.kind]} size={14} />
        ) : (
          <LevelMark level={alert.level === 'critical' ? 'error' : 'warning'} size={14} />
        )}
      </span>
      <div className="relative min-w-0">
        <div className="flex items-baseline gap-2">
          <PageLink
            to={entryPath(entry)}
            className={`foreign min-w-0 text-14 after:absolute after:-inset-y-2.5 after:inset-x-0 hover:underline ${isRead ? 'text-ink-2' : 'font-strong text-ink'}`}
            onClick={open}
          >
            {isRead ? null : <span className="visually-hidden">Unread: </span>}
            {entryLine(entry)}
          </PageLink>
          <Time ms={entry.atMs} className="shrink-0 text-12 text-ink-3" />
        </div>
        {issue === null ? null : (
          <div className="truncate text-13 text-ink-2">
            <span className="foreign">{issue.title}</span>{' '}
            <span className="text-12 text-ink-3">{issue.shortId}</span>
          </div>
        )}
        {text === '' ? null : (
          <div className="foreign mt-1 line-clamp-3 border-s-2 ps-2 text-13 whitespace-pre-line text-ink-2">
            {text}
          </div>
        )}
        {organisation === null ? null : <div className="foreign text-12 text-ink-3">{organisation}</div>}
      </div>
      <ActionForm action="inbox.mark" hidden={{ entries: [entry.id], unread: isRead ? 'on' : '' }}>
        <Button
          type="submit"
          variant="quiet"
          size="small"
          className="touch"
          aria-label={isRead ? 'Mark as unread' : 'Mark as read'}
          title={isRead ? 'Mark as unread' : 'Mark as read'}
        >
          {isRead ? (
            <span className="size-2.5 rounded-full border" aria-hidden="true" />
          ) : (
            <Icon name="check" size={14} />
          )}
        </Button>
      </ActionForm>
    </li>
  )
}

function isBadNews({ kind, alert }: InboxEntry): boolean {
  return kind === 'delivery' || alert?.level === 'critical'
}

/** Returns where an entry leads: the issue and what happened there, the rule, the channel. */
function entryPath({ organisation: org, issue, activity, alert, delivery }: InboxEntry): string {
  if (issue !== null)
    return activity === null ? paths.issue(org, issue.shortId) : paths.issueActivity(org, issue.shortId)
  if (alert !== null) return alert.ruleId === null ? paths.alertLog(org) : paths.alertRule(org, alert.ruleId)
  if (delivery?.channel != null) return paths.alertChannel(org, delivery.channel.id)
  if (delivery?.project != null) return paths.projectAlerts(org, delivery.project.slug)
  return paths.alerts(org)
}
