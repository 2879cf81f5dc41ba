/** Issues that one person met: those seen last at once, the rest folded. */
import { titleParts } from '#parts/issue-title.ts'
import { paths } from '#parts/paths.ts'
import { LevelMark } from '#ui/level-mark.tsx'
import { numberText, quantityText } from '#ui/number-text.ts'
import { Section } from '#ui/section.tsx'
import { Time } from '#ui/time.tsx'
import { PageLink } from '#wire/page-link.tsx'
import type { PersonData } from './people.server.ts'

const SHOWN = 5

export function PersonIssues({ data: { org, issues, isIssuesBounded } }: { readonly data: PersonData }) {
  if (issues.length === 0) return null
  const count = numberText(issues.length)
  const rows = (some: PersonData['issues']) =>
    some.map((issue) => <Issue key={issue.id} {...{ org, issue }} />)
  const rest = issues.slice(SHOWN)
  return (
    <Section title="Issues" note={isIssuesBounded ? `the newest ${count}` : count}>
      <ul>{rows(issues.slice(0, SHOWN))}</ul>
      {rest.length === 0 ? null : (
        <details>
          <summary className="link flex min-h-8 items-center text-12 max-phone:min-h-11">
            Show {quantityText(rest.length, 'more issue')}
          </summary>
          <ul>{rows(rest)}</ul>
        </details>
      )}
    </Section>
  )
}

function Issue({ org, issue }: { readonly org: string; readonly issue: PersonData['issues'][number] }) {
  const { type, message } = titleParts(issue)
  return (
    <li className="grid min-h-9 grid-cols-[1rem_minmax(0,1fr)_auto] items-center gap-x-3 border-b text-13 max-phone:grid-cols-[1rem_minmax(0,1fr)]">
      <LevelMark level={issue.level} size={14} />
      <PageLink
        to={paths.issue(org, issue.shortId)}
        className="foreign min-w-0 truncate hover:underline max-phone:py-3 max-phone:whitespace-normal"
      >
        <b className="font-strong">{type}</b> {message}
      </PageLink>
      <span className="flex items-center gap-4 text-12 text-ink-3 max-phone:col-start-2 max-phone:-mt-2 max-phone:pb-3">
        <span className="w-32 text-end max-phone:w-auto">{issue.shortId}</span>
        <span className="num w-18 text-end max-phone:w-auto">{quantityText(issue.events, 'event')}</span>
        <Time ms={issue.lastMs} form="age" className="w-14 text-end max-phone:ms-auto" />
      </span>
    </li>
  )
}
