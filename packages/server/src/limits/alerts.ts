/** Channels and messages of alerts. */
import { type Limit, limit } from './limit.ts'

export const ALERT_LIMITS = {
  channelsPerOrgMax: limit(100, 'count', 'Channels of one organisation.'),
  channelNameCharsMax: limit(80, 'chars', 'Name of a channel.'),
  channelValueCharsMax: limit(2_000, 'chars', 'One setting or secret of a channel.'),
  channelTemplateCharsMax: limit(10_000, 'chars', 'Body template of a webhook channel.'),
  alertGatherMs: limit(
    60_000,
    'ms',
    'Alerts to one receiver within so long after the first are one message.',
  ),
  alertGatheredMax: limit(10, 'count', 'Headlines shown of alerts that are told as one.'),
  alertMessageDays: limit(90, 'days', 'The log of alerts is kept so long.'),
  alertMessagesPerOrgMax: limit(
    20_000,
    'count',
    'Alerts kept in the log of one organisation, the newest; of more, the project that tells most loses its oldest.',
  ),
  alertMessagesWaitingMax: limit(
    20_000,
    'count',
    'Alerts that wait for one channel, or by email in one organisation; of more the log says that they were not sent.',
  ),
  alertMessagesHeldMax: limit(
    60_000,
    'count',
    'Alerts that quiet hours hold for one channel, or by email in one organisation; they take no place of others.',
  ),
  alertLogRows: limit(50, 'count', 'Alerts on one page of the log.'),
  alertLogFileRows: limit(5_000, 'count', 'Alerts in a file of the log, the newest.'),
  alertAnswerBytesMax: limit(16_384, 'bytes', 'Read of the answer of a chat service.'),
  slackLinksPerPersonMax: limit(50, 'count', 'Accounts in Slack that one person is connected to.'),
  slackLinkMs: limit(
    15 * 60_000,
    'ms',
    'So long the link works that connects somebody in Slack to their account.',
  ),
  slackSaysMs: limit(
    2_000,
    'ms',
    'Telling somebody in Slack what their button did; Slack waits three seconds.',
  ),
  slackTicketCharsMax: limit(2_000, 'chars', 'A link that connects somebody in Slack; longer ones are none.'),
  slackNameCharsMax: limit(80, 'chars', 'Name of somebody in Slack; the rest is cut.'),
  slackActionBytesMax: limit(65_536, 'bytes', 'A button pressed in Slack, as Slack sends it.'),
  channelTestsPerMinute: limit(6, 'count', 'Tests of the channels of one organisation in a minute.'),
  channelTestsAtOnceMax: limit(60, 'count', 'Tests of channels of all organisations in a minute.'),
  channelTestWindowMs: limit(60_000, 'ms', 'The minute of the two limits above.'),
} as const satisfies Record<string, Limit>
