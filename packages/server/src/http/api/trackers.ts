/** Issue trackers, links of issues to theirs, and the webhooks that trackers send. Secrets go in and never come out. */
import * as v from 'valibot'
import type { Tracker, TrackerLink, TrackerLogEntry } from '#ports/trackers.ts'
import {
  EXTERNAL_ISSUE,
  EXTERNAL_ISSUES,
  TRACKER as TRACKER_ANSWER,
  TRACKERS_SCHEMA as TRACKER_LIST,
  TRACKER_LOG_ENTRY,
  WEBHOOK_TAKEN,
} from './answers/tracker.ts'
import { readBody } from './body.ts'
import { type ApiRoute, answerCreated, answerOk, gone, type OrgCall, orgRoute } from './call.ts'
import { readId } from './params.ts'
import { picks } from './pick.ts'
import { existing, grantedOrThrow } from './refusals.ts'
import { messageTryShape } from './shape/message-try.ts'
import { isoTimeText, isoTimeTextOrNull } from './shape/times.ts'
import { answerVersioned, grantedAsSeen, seenBy } from './versions.ts'

const VALUES = v.optional(v.record(v.string(), v.unknown()), {})
const SYNC = {
  resolvesHere: v.optional(v.boolean('resolvesHere: true or false.'), false),
  closesThere: v.optional(v.boolean('closesThere: true or false.'), false),
}
const CHANGE = v.strictObject({ name: v.string('name: text.'), values: VALUES, ...SYNC })
const GIVEN = v.strictObject({ kind: v.string('kind: text.'), ...CHANGE.entries })
const CREATE = v.strictObject({
  issue: v.string('issue: its short id.'),
  place: v.optional(v.string('place: text.')),
})
const LINK = v.strictObject({ url: v.string('url: the address of an issue.') })

const TRACKERS = '/organizations/{org}/trackers/'
const TRACKER = `${TRACKERS}{tracker}/`
const LINKS = '/organizations/{org}/issues/{issue}/external-issues/'

export const TRACKER_ROUTES: readonly ApiRoute[] = [
  orgRoute({
    method: 'GET',
    pattern: TRACKERS,
    permission: 'tracker.read',
    what: 'issue trackers, without their secrets',
    answer: TRACKER_LIST,
    run: async (call) => answerOk((await call.queries.trackers(call.scope)).map(trackerShape)),
  }),
  orgRoute({
    method: 'POST',
    pattern: TRACKERS,
    permission: 'tracker.write',
    what: 'adds a tracker: `kind`, `name`, the `values` of the kind’s fields, `resolvesHere`, `closesThere`',
    body: GIVEN,
    answer: TRACKER_ANSWER,
    async run(call) {
      const { id } = grantedOrThrow(
        await call.commands.run('createTracker', call, readBody(GIVEN, await call.json())),
      )
      return answerCreated(trackerShape(existing(await call.queries.tracker(call.scope, id))))
    },
  }),
  orgRoute({
    method: 'GET',
    pattern: TRACKER,
    permission: 'tracker.read',
    what: 'one issue tracker',
    answer: TRACKER_ANSWER,
    versioned: true,
    run: async (call) => trackerAnswer(await trackerOf(call)),
  }),
  orgRoute({
    method: 'PUT',
    pattern: TRACKER,
    permission: 'tracker.write',
    what: 'changes it; secrets left out stay as they are',
    body: CHANGE,
    answer: TRACKER_ANSWER,
    versioned: true,
    async run(call) {
      const before = await trackerOf(call)
      const seen = seenBy(call, trackerSeen(before))
      const asked = { id: before.id, ...readBody(CHANGE, await call.json()), seen }
      grantedAsSeen(await call.commands.run('changeTracker', call, asked), seen)
      return trackerAnswer(await trackerOf(call))
    },
  }),
  {
    method: 'DELETE',
    pattern: TRACKER,
    permission: 'tracker.write',
    what: 'deletes it with its links; issues there stay as they are',
    async run(call) {
      grantedOrThrow(await call.commands.run('deleteTracker', call, (await trackerOf(call)).id))
      return gone
    },
  },
  orgRoute({
    method: 'GET',
    pattern: `${TRACKER}log/`,
    permission: 'tracker.read',
    what: 'what was closed there because it was resolved here, newest first',
    answer: v.array(TRACKER_LOG_ENTRY),
    async run(call) {
      const { id } = await trackerOf(call)
      return answerOk((await call.queries.trackerLog(call.scope, id)).map(trackerEntryShape))
    },
  }),
  orgRoute({
    method: 'POST',
    pattern: `${TRACKER}issues/`,
    permission: 'issue.write',
    what: 'creates an issue there, filled in with what is known of `issue`, and links it',
    body: CREATE,
    answer: EXTERNAL_ISSUE,
    async run(call) {
      const { id: tracker } = await trackerOf(call)
      const { issue: ref, place } = readBody(CREATE, await call.json())
      const asked = { ref, tracker, ...(place === undefined ? {} : { place }) }
      return answerCreated(
        linkShape(grantedOrThrow(await call.commands.run('createTrackerIssue', call, asked))),
      )
    },
  }),
  orgRoute({
    method: 'GET',
    pattern: LINKS,
    permission: 'issue.read',
    what: 'issues of trackers that it is linked to',
    answer: EXTERNAL_ISSUES,
    run: async ({ queries, scope, params }) =>
      answerOk(existing(await queries.trackerLinks(scope, params.issue ?? '')).map(linkShape)),
  }),
  orgRoute({
    method: 'POST',
    pattern: LINKS,
    permission: 'issue.write',
    body: LINK,
    what: 'links it to the issue that `url` names, of whichever tracker it is',
    answer: EXTERNAL_ISSUE,
    async run(call) {
      const ref = call.params.issue ?? ''
      existing(await call.queries.trackerLinks(call.scope, ref))
      const { url } = readBody(LINK, await call.json())
      return answerCreated(
        linkShape(grantedOrThrow(await call.commands.run('linkTrackerIssue', call, { ref, url }))),
      )
    },
  }),
  {
    method: 'DELETE',
    pattern: `${LINKS}{link}/`,
    permission: 'issue.write',
    what: 'removes a link; the issue there stays as it is',
    async run(call) {
      const link = existing(readId(call.params.link))
      grantedOrThrow(
        await call.commands.run('unlinkTrackerIssue', call, { ref: call.params.issue ?? '', link }),
      )
      return gone
    },
  },
]

/** Trackers call it; what proves them is the signature over the body with the tracker's secret. */
export const TRACKER_WEBHOOK_ROUTES: readonly ApiRoute[] = [
  {
    method: 'POST',
    pattern: '/trackers/{tracker}/webhook/',
    permission: 'anyone',
    what: 'takes the webhooks of an issue tracker; signed by it',
    answer: WEBHOOK_TAKEN,
    async run(call) {
      const { body } = await call.bytes()
      const delivery = { header: (name: string) => call.header(name), body }
      return answerOk(
        grantedOrThrow(await call.commands.takeTrackerWebhook(readId(call.params.tracker) ?? 0, delivery)),
      )
    },
  },
]

async function trackerOf({ queries, scope, params }: OrgCall): Promise<Tracker> {
  const id = readId(params.tracker)
  return existing(id === null ? null : await queries.tracker(scope, id))
}

function trackerSeen({ name, settings, resolvesHere, closesThere, changedMs }: Tracker) {
  return { name, settings, resolvesHere, closesThere, changedMs }
}

function trackerAnswer(tracker: Tracker) {
  return answerVersioned(trackerShape(tracker), trackerSeen(tracker))
}

const trackerShape = picks(TRACKER_ANSWER).from<Tracker>({
  id: ({ id }) => String(id),
  dateCreated: ({ createdMs }) => isoTimeText(createdMs),
  dateChanged: ({ changedMs }) => isoTimeText(changedMs),
  lastWebhook: ({ heardMs }) => isoTimeTextOrNull(heardMs),
})

/** Sentry's fields, and Errata's beside them. */
const linkShape = picks(EXTERNAL_ISSUE).from<TrackerLink>({
  id: ({ id }) => String(id),
  issueId: ({ issueId }) => String(issueId),
  serviceType: ({ tracker }) => tracker.kind,
  displayName: ({ ref }) => ref,
  webUrl: ({ url }) => url,
  tracker: ({ tracker }) => ({ id: String(tracker.id), name: tracker.name }),
  dateChecked: ({ checkedMs }) => isoTimeText(checkedMs),
  dateCreated: ({ createdMs }) => isoTimeText(createdMs),
})

const trackerEntryShape = picks(TRACKER_LOG_ENTRY).from<TrackerLogEntry>({
  id: ({ id }) => String(id),
  date: ({ atMs }) => isoTimeText(atMs),
  next: ({ nextMs }) => isoTimeTextOrNull(nextMs),
  settled: ({ settledMs }) => isoTimeTextOrNull(settledMs),
  tries: ({ tries }) => tries.map(messageTryShape),
})
