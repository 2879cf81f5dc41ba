/** Log of what was closed in a tracker because it was resolved here, with the tracker's answers. */
import { paths } from '#parts/paths.ts'
import { Icon, type IconName } from '#ui/icons.tsx'
import { Section } from '#ui/section.tsx'
import { Table } from '#ui/table.tsx'
import { Time } from '#ui/time.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { loadTracker } from './trackers.server.ts'

type Entry = Awaited<ReturnType<typeof loadTracker>>['log'][number]

const MARKS: Readonly<
  Record<Entry['state'], { readonly icon: IconName; readonly ink: string; readonly word: string }>
> = {
  sent: { icon: 'check', ink: 'text-good', word: 'Done' },
  failed: { icon: 'close', ink: 'text-bad', word: 'Failed' },
  waiting: { icon: 'clock', ink: 'text-ink-3', word: 'Waiting' },
  sending: { icon: 'clock', ink: 'text-ink-3', word: 'In progress' },
  cancelled: { icon: 'archive', ink: 'text-ink-3', word: 'Cancelled' },
}

export function TrackerLog({ org, entries }: { readonly org: string; readonly entries: readonly Entry[] }) {
  if (entries.length === 0)
    return (
      <Section title="Closed there">
        <p className="text-13 text-ink-2">Nothing yet.</p>
      </Section>
    )
  return (
    <Section title="Closed there" note="Closed because the issue was resolved here, newest first">
      <Table caption="Issues closed there" stacks>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Resolved here</th>
            <th scope="col">Closed there</th>
            <th scope="col">Answer</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td data-label="When">
                <Time ms={entry.atMs} />
              </td>
              <td data-label="Resolved here">
                {entry.issue === null ? (
                  <span className="text-ink-3">deleted</span>
                ) : (
                  <PageLink className="link" to={paths.issue(org, entry.issue)}>
                    {entry.issue}
                  </PageLink>
                )}
              </td>
              <td className="foreign" data-label="Closed there">
                {entry.ref}
              </td>
              <td data-label="Answer">
                <Answer entry={entry} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  )
}

function Answer({ entry: { state, says, tries } }: { readonly entry: Entry }) {
  const { icon, ink, word } = MARKS[state]
  const again = tries.length > 1 ? ` (${tries.length} tries)` : ''
  return (
    <span className="inline-flex items-start gap-1.5">
      <Icon name={icon} size={14} className={`mt-0.5 shrink-0 ${ink}`} />
      <span className="foreign">{`${says === null ? word : `${word}: ${says}`}${again}`}</span>
    </span>
  )
}
