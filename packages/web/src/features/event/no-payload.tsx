/** An event of which the row alone is kept: why, and where one can be read in full. */
import type { EventView, IssueView } from '@errata/server/queries'
import { PageLink } from '#wire/page-link.tsx'
import { EventIcon } from './event-icon.tsx'
import { payloadText } from './payload-text.ts'

export function NoPayload(props: {
  readonly to: string
  readonly state: EventView['payload']
  readonly project: IssueView['project']
}) {
  const { title, detail } = payloadText(props.state, props.project.options.payloadsPerIssueHour)
  return (
    <div className="mb-4 flex flex-wrap items-start gap-3 rounded-field border bg-sunken px-4 py-2.5 text-13">
      <EventIcon name="info" size={14} className="mt-0.5 shrink-0 text-ink-3" />
      <p className="min-w-0 flex-1 basis-64">
        <b className="font-strong">{title} </b>
        {detail}
      </p>
      <PageLink className="link link-text shrink-0" to={props.to}>
        Newest event with details
      </PageLink>
    </div>
  )
}
