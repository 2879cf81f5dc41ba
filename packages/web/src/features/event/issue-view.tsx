/** An issue with one of its events. */
import { paths } from '#parts/paths.ts'
import { Readable } from '#parts/readable.tsx'
import { usePageData } from '#wire/page-data.ts'
import { AttachmentsSection } from './attachments-section.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { EventBar } from './event-bar.tsx'
import { Exceptions } from './exceptions.tsx'
import { FoldedFacts } from './folded-facts.tsx'
import { HydrationSection } from './hydration-section.tsx'
import type { IssueData, loadIssue } from './issue.server.ts'
import { IssueShell } from './issue-shell.tsx'
import { NoEventKept } from './no-event-kept.tsx'
import { NoPayload } from './no-payload.tsx'
import { ScrubbedProvider } from './scrubbed.tsx'
import { StackNotes } from './stack-notes.tsx'
import { SuggestedOwners } from './suggested-owners.tsx'
import { SuspectCommits } from './suspect-commits.tsx'
import { TagShares } from './tags-section.tsx'
import { Message, Threads } from './threads.tsx'

export function IssuePage() {
  const data = usePageData<typeof loadIssue>()
  return (
    <IssueShell
      data={data}
      current="event"
      event={data.event && { digest: data.event.digests[0] ?? null, trace: data.trace }}
      side={
        <>
          <SuggestedOwners data={data} />
          <SuspectCommits data={data} />
        </>
      }
    >
      {data.event === null ? <Nothing data={data} /> : <EventBody data={data} view={data.event} />}
    </IssueShell>
  )
}

/** The counts outlive the events. */
function Nothing({ data }: { readonly data: IssueData }) {
  return (
    <>
      <Readable part="event" what="This event">
        <NoEventKept />
      </Readable>
      <TagShares org={data.org} shares={data.tagShares} />
    </>
  )
}

function EventBody({
  data,
  view,
}: {
  readonly data: IssueData
  readonly view: NonNullable<IssueData['event']>
}) {
  const { org, frames } = data
  const { issue, project } = data.view
  const { event } = view
  return (
    // The key closes what was opened by hand when another event is shown.
    <ScrubbedProvider key={view.row.eventId} paths={event.scrubbedPaths} problems={view.problems}>
      <EventBar org={org} issue={issue.shortId} project={project.slug} event={view} />
      {view.payload === 'kept' ? null : (
        <NoPayload to={paths.issue(org, issue.shortId)} state={view.payload} project={project} />
      )}
      <HydrationSection
        hydration={view.hydration}
        rows={data.htmlRows}
        tags={data.view.tags}
        count={issue.eventCount}
      />
      <StackNotes org={org} project={project.slug} view={view} form={data.stack}>
        <Message event={event} shown={frames} />
        <Exceptions view={view} shown={frames} />
        <Threads event={event} shown={frames} />
      </StackNotes>
      <AttachmentsSection data={data} />
      <Breadcrumbs event={event} title={view.row.title} />
      <TagShares org={org} shares={data.tagShares} />
      <FoldedFacts org={org} view={view} />
    </ScrubbedProvider>
  )
}
