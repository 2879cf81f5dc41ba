/** Which raw facts an event has, in the order people look for them. */
import type { EventView } from '@errata/server/queries'
import { EventFacts, type FoldedFact } from './event-facts.tsx'
import {
  contextsLine,
  extraLine,
  groupingLine,
  modulesLine,
  problemsLine,
  requestLine,
  scrubbedLine,
  sdkLine,
  tagsLine,
  userLine,
} from './fact-lines.ts'
import { ContextFacts, ExtraFacts, ModuleFacts, SdkFacts, UserFacts } from './facts-sections.tsx'
import { GroupingNotes, ProblemNotes, ScrubbedNotes } from './notes-sections.tsx'
import { RequestFacts } from './request-section.tsx'
import { EventTags } from './tags-section.tsx'

export function FoldedFacts({ org, view }: { readonly org: string; readonly view: EventView }) {
  return <EventFacts facts={[...sentFacts(org, view), ...notedFacts(view)]} />
}

/** Returns facts that the SDK sent. */
function sentFacts(
  org: string,
  { event, row, requestKind, action, actionId }: EventView,
): readonly FoldedFact[] {
  const { request, user, contexts, extra, modules } = event
  return [
    ...fact(request !== undefined, {
      name: 'Request',
      ...requestLine(event, actionId === null ? null : action),
      content: <RequestFacts event={event} kind={requestKind} action={action} actionId={actionId} />,
    }),
    ...fact(isFilled(user), {
      name: 'User',
      ...userLine(event),
      content: <UserFacts org={org} event={event} person={row.user} />,
    }),
    ...fact(isFilled(contexts), {
      name: 'Contexts',
      ...contextsLine(event),
      content: <ContextFacts event={event} />,
    }),
    ...fact(row.tags.length > 0, {
      name: 'Tags',
      ...tagsLine(row.tags),
      content: <EventTags org={org} tags={row.tags} />,
    }),
    ...fact(isFilled(extra), { name: 'Extra', ...extraLine(event), content: <ExtraFacts event={event} /> }),
    ...fact(isFilled(modules), {
      name: 'Modules',
      ...modulesLine(event),
      content: <ModuleFacts event={event} />,
    }),
    { name: 'SDK', ...sdkLine(event), content: <SdkFacts event={event} /> },
  ]
}

/** Returns facts that Errata noted. */
function notedFacts({ event, grouping, payload, problems }: EventView): readonly FoldedFact[] {
  return [
    ...fact(grouping.length > 0, {
      name: 'Grouping',
      ...groupingLine(grouping),
      content: <GroupingNotes grouping={grouping} />,
    }),
    ...fact(payload === 'kept' && problems.length > 0, {
      name: 'Processing problems',
      ...problemsLine(problems),
      content: <ProblemNotes problems={problems} />,
    }),
    ...fact(event.scrubbedPaths.length > 0, {
      name: 'Scrubbed',
      ...scrubbedLine(event),
      content: <ScrubbedNotes event={event} />,
    }),
  ]
}

function fact(isThere: boolean, one: FoldedFact): readonly FoldedFact[] {
  return isThere ? [one] : []
}

function isFilled(bag: object | undefined): boolean {
  return bag !== undefined && Object.keys(bag).length > 0
}
