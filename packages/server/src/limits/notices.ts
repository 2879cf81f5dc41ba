/** Telling people: how often, how long it is tried, what is kept of it. */
import { type Limit, limit } from './limit.ts'

export const NOTICE_LIMITS = {
  noticesPerHourMax: limit(
    20,
    'count',
    'Notices of one project in an hour; the rest is told in one summary.',
  ),
  noticesPerMinuteMax: limit(
    3,
    'count',
    'Notices of one project in a minute; the rest is told in the same summary.',
  ),
  noticeSummaryWaitMs: limit(5 * 60_000, 'ms', 'A summary gathers what comes within so long.'),
  noticeQuietHoursMax: limit(168, 'count', 'Hours for which an issue that was told of stays quiet.'),
  noticeOpenMax: limit(5, 'count', 'Notices whose deliveries are made in one transaction.'),
  mailsAtOnceMax: limit(
    12,
    'count',
    'Emails of alerts at once; an organisation with none under way has one beyond it.',
  ),
  mailsOfOrgAtOnceMax: limit(4, 'count', 'Emails of alerts at once of one organisation.'),
  lettersAtOnceMax: limit(4, 'count', 'Emails with a link, or to followers of issues, at once.'),
  callsAtOnceMax: limit(
    256,
    'count',
    'Calls of webhooks, chats, pagers and trackers at once; an organisation with none under way has one beyond it.',
  ),
  callsOfOrgAtOnceMax: limit(32, 'count', 'Calls at once of one organisation, its pagers apart.'),
  pagerCallsOfOrgAtOnceMax: limit(
    8,
    'count',
    'More calls at once of one organisation, which only its pagers may take.',
  ),
  callsOfReceiverAtOnceMax: limit(
    4,
    'count',
    'Calls at once of one receiver, once it has answered; before that one, and another for each that goes on without an answer.',
  ),
  noticePatienceMs: limit(
    3_000,
    'ms',
    'A call without an answer for so long no longer holds up the next to its receiver, while half the places of the organisation are free.',
  ),
  noticeRestMs: limit(
    2_000,
    'ms',
    'A receiver that failed is left alone for so long, and so is a mail server; doubled for each failure in a row.',
  ),
  noticeRestMsMax: limit(60_000, 'ms', 'The longest such rest.'),
  noticeReceiversKnownMax: limit(10_000, 'count', 'Receivers of which it is remembered how they answered.'),
  lookUpsAtOnceMax: limit(
    4,
    'count',
    'Host names that the system looks up at once for calls; beyond it the name servers are asked directly.',
  ),
  noticeTriesMax: limit(10, 'count', 'Tries of one delivery, over about three hours; then it has failed.'),
  noticeRetryMs: limit(30_000, 'ms', 'Before the second try; doubled for each one after.'),
  noticeRetryMsMax: limit(3_600_000, 'ms', 'Between two tries at most.'),
  noticeLeaseMs: limit(
    120_000,
    'ms',
    'A delivery under way belongs to its loop so long; no send takes longer.',
  ),
  noticePollMs: limit(30_000, 'ms', 'How often due deliveries are looked for when nothing woke the loop.'),
  noticePauseMs: limit(
    2_000,
    'ms',
    'After the store failed to deliver alerts; doubled for each failure in a row, up to the time between two looks.',
  ),
  noticeStopMs: limit(2_000, 'ms', 'Deliveries under way may finish so long when Errata stops.'),
  noticeTestsPerMinute: limit(6, 'count', 'Tests of mail and webhook of one project in a minute.'),
  noticeTestsAtOnceMax: limit(8, 'count', 'Tests of mail and webhook on the way at once, of all projects.'),
  noticeDeliveriesWaitingMax: limit(
    20_000,
    'count',
    'Emails of the alerts of projects that wait in one organisation, and calls of the webhook of one project; of more the log says that they were not sent.',
  ),
  noticeDeliveriesInAllMax: limit(
    100_000,
    'count',
    'The same of all organisations: a mail server that is away for days fills no disk.',
  ),
  noticeDays: limit(30, 'days', 'Notices and their deliveries are kept so long.'),
  noticesPerProjectMax: limit(10_000, 'count', 'Alerts kept for one project, the newest.'),
  noticeLogRows: limit(50, 'count', 'Notices on one page of a project’s log.'),
  noticeReceiversMax: limit(
    10,
    'count',
    'Receivers named in the delivery log of one alert, of emails that failed.',
  ),
  noticeSaysCharsMax: limit(300, 'chars', 'What is kept of the answer to one try.'),
  mailTimeoutMs: limit(30_000, 'ms', 'One mail, from connecting to the server’s last word.'),
  mailFailingMs: limit(
    3 * 60_000,
    'ms',
    'No email got out for so long: one warning in the log, and an entry on /system.',
  ),
  mailTestsPerMinute: limit(6, 'count', 'Test emails of the operator in a minute.'),
  webhookTimeoutMs: limit(10_000, 'ms', 'One call of a webhook, looking its name up included.'),
  webhookUrlCharsMax: limit(2_000, 'chars', 'Address of a webhook.'),
} satisfies Readonly<Record<string, Limit>>
