/**
 * Formats that each service takes, as it publishes them: names, types and the most of each text. Unknown names are refused, so
 * that a spelling mistake shows. Characters are UTF-16 units unless a service counts otherwise; those are the stricter.
 */
import { type Action, AdaptiveCard, OpenUrlAction, SerializationContext, Versions } from 'adaptivecards'
import * as v from 'valibot'
import type { ChannelKind } from '#ports/channels.ts'

const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most), v.check(isWellFormed))
const url = (most: number) => v.pipe(v.string(), v.maxLength(most), v.url())
const list = <T extends v.GenericSchema>(item: T, most: number) =>
  v.pipe(v.array(item), v.minLength(1), v.maxLength(most))
const bytes = (most: number) => v.check((value: string) => Buffer.byteLength(value) <= most, `${most} bytes`)

/** Half a surrogate pair is refused by every JSON reader that is strict. */
function isWellFormed(value: string): boolean {
  return value.isWellFormed()
}

/** Any URL may stand here: what is between them is checked by the services' markup alone. */
const HEX = v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/))

// https://docs.slack.dev/reference/block-kit/blocks
const MRKDWN = (most: number) =>
  v.strictObject({ type: v.literal('mrkdwn'), text: text(most), verbatim: v.literal(true) })
const SLACK_BUTTON = v.strictObject({
  type: v.literal('button'),
  text: v.strictObject({ type: v.literal('plain_text'), text: text(75) }),
  action_id: text(255),
  value: v.optional(v.pipe(v.string(), v.maxLength(2_000))),
  url: v.optional(url(3_000)),
  style: v.optional(v.picklist(['primary', 'danger'])),
})
const SLACK_BLOCK = v.union([
  v.strictObject({ type: v.literal('section'), text: MRKDWN(3_000) }),
  v.strictObject({ type: v.literal('section'), fields: list(MRKDWN(2_000), 10) }),
  v.strictObject({
    type: v.literal('actions'),
    elements: v.pipe(
      list(SLACK_BUTTON, 25),
      v.check((all) => new Set(all.map(({ action_id }) => action_id)).size === all.length, 'twice'),
    ),
  }),
])
const SLACK = {
  text: text(4_000),
  blocks: list(SLACK_BLOCK, 50),
  attachments: list(v.strictObject({ color: HEX, blocks: list(SLACK_BLOCK, 50) }), 20),
  unfurl_links: v.boolean(),
  unfurl_media: v.boolean(),
}

// https://discord.com/developers/docs/resources/message#embed-object-embed-limits
const EMBED = v.strictObject({
  title: text(256),
  url: url(2_048),
  description: v.pipe(v.string(), v.maxLength(4_096), v.check(isWellFormed)),
  color: v.pipe(v.number(), v.integer(), v.maxValue(0xffffff)),
  fields: v.pipe(
    v.array(v.strictObject({ name: text(256), value: text(1_024), inline: v.boolean() })),
    v.maxLength(25),
  ),
  footer: v.strictObject({ text: text(2_048) }),
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
})
const DISCORD = v.strictObject({
  username: text(80),
  allowed_mentions: v.strictObject({ parse: v.tuple([]) }),
  embeds: v.pipe(
    list(EMBED, 10),
    v.check((embeds) => embeds.reduce((sum, embed) => sum + embedChars(embed), 0) <= 6_000, '6,000 in all'),
  ),
})

function embedChars({ title, description, fields, footer }: v.InferOutput<typeof EMBED>): number {
  const ofFields = fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0)
  return title.length + description.length + footer.text.length + ofFields
}

// https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using : 28 KB
const TEAMS = v.pipe(
  v.strictObject({
    type: v.literal('message'),
    attachments: v.tuple([
      v.strictObject({
        contentType: v.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: v.null(),
        content: v.pipe(
          v.record(v.string(), v.unknown()),
          v.rawCheck(({ dataset, addIssue }) => {
            if (dataset.typed) for (const message of cardFaults(dataset.value)) addIssue({ message })
          }),
        ),
      }),
    ]),
  }),
  v.check((body) => JSON.stringify(body).length < 28_000, '28 KB'),
)

/** Returns the faults that Microsoft's own package finds in a card: unknown names and wrong values. */
export function cardFaults(content: unknown): readonly string[] {
  const context = new SerializationContext(Versions.v1_5)
  const card = new AdaptiveCard()
  card.parse(content, context)
  const read = Array.from({ length: context.eventCount }, (_, at) => context.getEventAt(at).message)
  const found = card.validateProperties().validationEvents.map(({ message }) => message)
  const actions = Array.from({ length: card.getActionCount() }, (_, at) => card.getActionAt(at))
  return [...read, ...found, ...(actions.every(opensPage) ? [] : ['an action without an address'])]
}

function opensPage(action: Action | undefined): boolean {
  return action instanceof OpenUrlAction && action.url !== undefined && URL.canParse(action.url)
}

// https://developers.google.com/workspace/chat/api/reference/rest/v1/cards
const GOOGLE_TEXT = v.strictObject({ text: text(4_096) })
const WIDGET = v.union([
  v.strictObject({ textParagraph: GOOGLE_TEXT }),
  v.strictObject({
    decoratedText: v.strictObject({ topLabel: text(4_096), text: text(4_096), wrapText: v.boolean() }),
  }),
  v.strictObject({
    buttonList: v.strictObject({
      buttons: list(
        v.strictObject({
          text: text(100),
          onClick: v.strictObject({ openLink: v.strictObject({ url: url(2_048) }) }),
        }),
        10,
      ),
    }),
  }),
])
const GOOGLE_CHAT = v.pipe(
  v.strictObject({
    fallbackText: v.pipe(text(4_096), v.excludes('<')),
    cardsV2: v.tuple([
      v.strictObject({
        cardId: text(64),
        card: v.strictObject({
          header: v.strictObject({ title: text(4_096), subtitle: text(4_096) }),
          sections: v.tuple([v.strictObject({ widgets: list(WIDGET, 100) })]),
        }),
      }),
    ]),
    thread: v.strictObject({ threadKey: text(4_000) }),
  }),
  v.check((body) => Buffer.byteLength(JSON.stringify(body)) < 32_000, '32 KB'),
)

// https://developers.mattermost.com/integrate/reference/message-attachments/
const MATTERMOST = v.strictObject({
  username: text(64),
  channel: v.optional(text(200)),
  attachments: v.tuple([
    v.strictObject({
      ...{ fallback: text(16_383), color: HEX, pretext: text(16_383), title: text(16_383) },
      title_link: url(2_048),
      text: v.pipe(v.string(), v.maxLength(16_383)),
      fields: v.array(v.strictObject({ title: text(1_000), value: text(4_000), short: v.boolean() })),
    }),
  ]),
})

// https://core.telegram.org/bots/api#sendmessage, #html-style
const TELEGRAM = v.strictObject({
  chat_id: text(70),
  text: v.pipe(
    text(4_096),
    v.check((value) => isTelegramHtml(value), 'HTML of another kind'),
  ),
  parse_mode: v.literal('HTML'),
  link_preview_options: v.strictObject({ is_disabled: v.literal(true) }),
  disable_notification: v.boolean(),
})

/** Closed tags of the few that it has, and no other `<`, `>` or `&`. */
function isTelegramHtml(html: string): boolean {
  const rest = html
    .replace(/<(b|code)>([^<>]*)<\/\1>/g, '$2')
    .replace(/<a href="[^"<>]*">([^<>]*)<\/a>/g, '$1')
    .replace(/&(lt|gt|amp|quot);/g, '')
  return !/[<>&]/.test(rest)
}

// https://docs.ntfy.sh/publish/#publish-as-json, #limitations; the body may be twice the length of a message
const NTFY = v.pipe(
  v.strictObject({
    topic: v.pipe(v.string(), v.regex(/^[-_A-Za-z0-9]{1,64}$/)),
    title: text(1_000),
    message: v.pipe(text(4_096), bytes(4_096)),
    priority: v.picklist([1, 2, 3, 4, 5]),
    tags: v.array(text(64)),
    click: url(2_048),
    actions: v.pipe(
      v.array(v.strictObject({ action: v.literal('view'), label: text(100), url: url(2_048) })),
      v.maxLength(3),
    ),
  }),
  v.check((body) => Buffer.byteLength(JSON.stringify(body)) <= 8_192, 'twice 4,096 bytes'),
)

// https://pushover.net/api#limits
const PUSHOVER = v.strictObject({
  ...{ token: text(64), user: text(64), title: text(250), message: text(1_024) },
  priority: v.picklist([-2, -1, 0, 1]),
  timestamp: v.pipe(v.number(), v.integer()),
  url: v.optional(url(512)),
  url_title: v.optional(text(100)),
})

// https://gotify.net/api-docs#/message/createMessage
const GOTIFY = v.strictObject({
  title: text(1_000),
  message: v.pipe(v.string(), v.minLength(1)),
  priority: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10)),
  extras: v.strictObject({
    'client::display': v.strictObject({ contentType: v.picklist(['text/plain', 'text/markdown']) }),
    'client::notification': v.strictObject({ click: v.strictObject({ url: url(2_048) }) }),
  }),
})

// https://developer.pagerduty.com/docs/send-alert-event
const PAGERDUTY_BASE = { routing_key: text(32), dedup_key: text(255) }
const PAGERDUTY = v.pipe(
  v.variant('event_action', [
    v.strictObject({ ...PAGERDUTY_BASE, event_action: v.literal('resolve') }),
    v.strictObject({
      ...{ ...PAGERDUTY_BASE, event_action: v.literal('trigger'), client: text(255), client_url: url(2_048) },
      links: list(v.strictObject({ href: url(2_048), text: text(255) }), 25),
      payload: v.strictObject({
        ...{ summary: text(1_024), source: text(255), component: text(255), class: text(255) },
        severity: v.picklist(['critical', 'error', 'warning', 'info']),
        timestamp: v.pipe(v.string(), v.isoTimestamp()),
        group: v.optional(text(255)),
        custom_details: v.record(v.string(), v.string()),
      }),
    }),
  ]),
  v.check((body) => Buffer.byteLength(JSON.stringify(body)) < 512_000, '512 KB'),
)

// https://docs.opsgenie.com/docs/alert-api#create-alert, #close-alert
const OPSGENIE = v.union([
  v.strictObject({ source: text(100), note: text(25_000) }),
  v.strictObject({
    ...{
      message: text(130),
      alias: text(512),
      description: text(15_000),
      source: text(100),
      entity: text(512),
    },
    priority: v.picklist(['P1', 'P2', 'P3', 'P4', 'P5']),
    tags: v.pipe(v.array(text(50)), v.maxLength(20)),
    details: v.pipe(
      v.record(v.string(), v.string()),
      v.check((details) => JSON.stringify(details).length <= 8_000, '8,000 in all'),
    ),
  }),
])

/** `webhook` has a format of Errata's own, and `email` none that is JSON. */
export const SERVICE_FORMATS: Readonly<Record<Exclude<ChannelKind, 'webhook' | 'email'>, v.GenericSchema>> = {
  slack: v.strictObject(SLACK),
  'slack-bot': v.strictObject({ ...SLACK, channel: text(80) }),
  ...{ discord: DISCORD, teams: TEAMS, 'google-chat': GOOGLE_CHAT, mattermost: MATTERMOST },
  ...{ telegram: TELEGRAM, ntfy: NTFY, pushover: PUSHOVER, gotify: GOTIFY },
  ...{ pagerduty: PAGERDUTY, opsgenie: OPSGENIE },
}
