import type { PasteTarget } from '@errata/server/queries'
import { paths } from '#parts/paths.ts'
import { buttonClass } from '#ui/button.tsx'
import { PageLink } from '#wire/page-link.tsx'

type Target = Exclude<PasteTarget, { readonly kind: 'digest' }>

/** Ids of events and traces in what was pasted: what frameworks without digests show. */
export function FoundReferences({ targets }: { readonly targets: readonly Target[] }) {
  return (
    <ul className="grid gap-6">
      {targets.map((target) => (
        <li key={`${target.organisation} ${targetText(target)}`}>
          <div className="flex flex-wrap items-center gap-3">
            <code className="num text-13 font-strong break-all">{targetText(target)}</code>
            <span className="text-14 text-ink-2">{saysOf(target)}</span>
          </div>
          <PageLink
            to={targetPath(target)}
            prefetch
            className={`mt-3 ${buttonClass('primary', 'normal', 'touch')}`}
          >
            {LINKS[target.kind]}
          </PageLink>
        </li>
      ))}
    </ul>
  )
}

const LINKS: Readonly<Record<Target['kind'], string>> = {
  event: 'Open the event',
  trace: 'Open the trace and its errors',
  issue: 'Open the issue',
}

function targetText(target: Target): string {
  if (target.kind === 'event') return target.eventId
  return target.kind === 'trace' ? target.traceId : target.shortId
}

function saysOf(target: Target): string {
  if (target.kind === 'event') return `is an event of ${target.shortId}`
  return target.kind === 'trace' ? 'is a trace' : target.title
}

function targetPath(target: Target): string {
  if (target.kind === 'event') return paths.issueEvent(target.organisation, target.shortId, target.eventId)
  if (target.kind === 'trace') return paths.trace(target.organisation, target.traceId)
  return paths.issue(target.organisation, target.shortId)
}
