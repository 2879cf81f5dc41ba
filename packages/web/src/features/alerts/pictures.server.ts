/** The body that a service gets, read as its app reads it. A body that has another shape is shown as it is. */

import type { ChannelKind } from '@errata/server/queries'
import {
  array,
  type GenericSchema,
  type InferOutput,
  number,
  object,
  optional,
  record,
  safeParse,
  string,
  tuple,
  tupleWithRest,
  unknown,
} from 'valibot'
import { htmlRuns, markdownRuns, plainRuns, slackRuns } from './markup.server.ts'
import type { Picture, PictureLook, PicturePart, Run } from './picture.ts'
import { runsText } from './picture.ts'

/** `body`: of `alertBody`. */
export function pictureOf(kind: ChannelKind, body: unknown): Picture {
  return (
    PAINTERS[kind](body) ?? {
      look: 'json',
      bar: null,
      above: [],
      parts: lines(JSON.stringify(body, null, 2)),
    }
  )
}

type Painter = (body: unknown) => Picture | null

function painter<S extends GenericSchema>(
  look: PictureLook,
  schema: S,
  paint: (body: InferOutput<S>) => {
    readonly bar?: string | undefined
    readonly above?: readonly PicturePart[]
    readonly parts: readonly PicturePart[]
  },
): Painter {
  return (body) => {
    const read = safeParse(schema, body)
    if (!read.success) return null
    const { bar = null, above = [], parts } = paint(read.output)
    return { look, bar, above, parts }
  }
}

type Markup = (text: string) => readonly Run[]

function part(is: 'lead' | 'title' | 'text' | 'foot', runs: readonly Run[]): readonly PicturePart[] {
  return runs.length === 0 ? [] : [{ is, runs }]
}

function lines(text: string, markup: Markup = plainRuns): readonly PicturePart[] {
  return text.split('\n').map((line) => ({ is: 'text', runs: markup(line) }))
}

function facts(
  pairs: readonly { readonly label: string; readonly value: string }[],
  markup: Markup = plainRuns,
): readonly PicturePart[] {
  if (pairs.length === 0) return []
  return [
    {
      is: 'facts',
      facts: pairs.map(({ label, value }) => ({ label: runsText(markup(label)), value: markup(value) })),
    },
  ]
}

function buttons(labels: readonly string[], main?: string): readonly PicturePart[] {
  if (labels.length === 0) return []
  return [{ is: 'buttons', buttons: labels.map((label) => ({ label, isMain: label === main })) }]
}

const TEXT = object({ text: string() })
const SLACK_BLOCK = object({
  type: string(),
  text: optional(TEXT),
  fields: optional(array(TEXT)),
  elements: optional(array(object({ text: TEXT, style: optional(string()) }))),
})

const slack = painter(
  'slack',
  object({
    blocks: array(SLACK_BLOCK),
    attachments: tuple([object({ color: string(), blocks: array(SLACK_BLOCK) })]),
  }),
  ({ blocks: above, attachments: [{ color, blocks }] }) => ({
    bar: color,
    above: above.flatMap(slackParts),
    parts: blocks.flatMap(slackParts),
  }),
)

function slackParts({ type, text, fields = [], elements = [] }: InferOutput<typeof SLACK_BLOCK>) {
  if (type === 'actions') {
    const main = elements.find(({ style }) => style === 'primary')
    return buttons(elements.map(labelOf), main === undefined ? undefined : labelOf(main))
  }
  const shown = text === undefined ? [] : text.text.split('\n')
  const pairs = fields.map((field) => {
    const [label = '', ...value] = field.text.split('\n')
    return { label, value: value.join('\n') }
  })
  return [
    ...shown.flatMap((line) => part(line.startsWith('*<') ? 'title' : 'text', slackRuns(line))),
    ...facts(pairs, slackRuns),
  ]
}

function labelOf({ text }: { readonly text: { readonly text: string } }): string {
  return text.text
}

const discord = painter(
  'discord',
  object({
    embeds: tuple([
      object({
        ...{ title: string(), description: string(), footer: TEXT, color: number() },
        fields: array(object({ name: string(), value: string() })),
      }),
    ]),
  }),
  ({ embeds: [{ title, description, footer, fields, color }] }) => ({
    bar: `#${color.toString(16).padStart(6, '0')}`,
    parts: [
      ...part('title', linkRuns(markdownRuns(title))),
      ...(description === '' ? [] : lines(description, markdownRuns)),
      ...facts(
        fields.map(({ name, value }) => ({ label: name, value })),
        markdownRuns,
      ),
      ...part('foot', plainRuns(footer.text)),
    ],
  }),
)

/** A title that is a link. */
function linkRuns(runs: readonly Run[]): readonly Run[] {
  return runs.map(({ text }) => ({ text, as: 'link' }))
}

const TEAMS_BLOCK = object({
  inlines: optional(tupleWithRest([object({ text: string(), fontType: optional(string()) })], unknown())),
  facts: optional(array(object({ title: string(), value: string() }))),
})

const teams = painter(
  'teams',
  object({
    attachments: tuple([
      object({
        content: object({ body: array(TEAMS_BLOCK), actions: array(object({ title: string() })) }),
      }),
    ]),
  }),
  ({ attachments: [{ content }] }) => ({
    parts: [
      ...content.body.flatMap((block, at) => [
        ...part(TEAMS_LINES[at] ?? 'text', teamsRuns(block)),
        ...facts(
          (block.facts ?? []).map(({ title, value }) => ({ label: title, value })),
          markdownRuns,
        ),
      ]),
      ...buttons(content.actions.map(({ title }) => title)),
    ],
  }),
)

const TEAMS_LINES = ['lead', 'title'] as const

function teamsRuns({ inlines }: InferOutput<typeof TEAMS_BLOCK>): readonly Run[] {
  if (inlines === undefined) return []
  const [{ text, fontType }] = inlines
  return [{ text, as: fontType === 'Monospace' ? 'code' : 'text' }]
}

const mattermost = painter(
  'mattermost',
  object({
    attachments: tuple([
      object({
        ...{ color: string(), pretext: string(), title: string(), text: string() },
        fields: array(object({ title: string(), value: string() })),
      }),
    ]),
  }),
  ({ attachments: [{ color, pretext, title, text, fields }] }) => ({
    bar: color,
    above: part('text', markdownRuns(pretext)),
    parts: [
      ...part('title', linkRuns(markdownRuns(title))),
      ...(text === '' ? [] : lines(text, markdownRuns)),
      ...facts(
        fields.map(({ title: label, value }) => ({ label, value })),
        markdownRuns,
      ),
    ],
  }),
)

const WIDGET = object({
  textParagraph: optional(TEXT),
  decoratedText: optional(object({ topLabel: string(), text: string() })),
  buttonList: optional(object({ buttons: array(TEXT) })),
})

const googleChat = painter(
  'google-chat',
  object({
    cardsV2: tuple([
      object({
        card: object({
          header: object({ title: string(), subtitle: string() }),
          sections: tuple([object({ widgets: array(WIDGET) })]),
        }),
      }),
    ]),
  }),
  ({ cardsV2: [{ card }] }) => {
    const { widgets } = card.sections[0]
    const pairs = widgets.flatMap(({ decoratedText: one }) =>
      one === undefined ? [] : [{ label: one.topLabel, value: one.text }],
    )
    return {
      parts: [
        ...part('title', plainRuns(card.header.title)),
        ...part('lead', plainRuns(card.header.subtitle)),
        ...widgets.flatMap(({ textParagraph }) => part('text', htmlRuns(textParagraph?.text ?? ''))),
        ...facts(pairs, htmlRuns),
        ...buttons(widgets.flatMap(({ buttonList }) => (buttonList?.buttons ?? []).map(({ text }) => text))),
      ],
    }
  },
)

const telegram = painter('telegram', TEXT, ({ text }) => ({ parts: lines(text, htmlRuns) }))

/** ntfy, Pushover and Gotify. */
const phone = painter('phone', object({ title: string(), message: string() }), ({ title, message }) => ({
  parts: [...part('title', plainRuns(title)), ...lines(message)],
}))

const DETAILS = record(string(), string())

function detailFacts(details: InferOutput<typeof DETAILS>): readonly PicturePart[] {
  return facts(Object.entries(details).map(([label, value]) => ({ label, value })))
}

const pagerduty = painter(
  'pager',
  object({
    payload: object({ summary: string(), severity: string(), source: string(), custom_details: DETAILS }),
    links: array(TEXT),
  }),
  ({ payload: { summary, severity, source, custom_details: details }, links }) => ({
    parts: [
      ...part('lead', plainRuns(`Triggered, ${severity}`)),
      ...part('title', plainRuns(summary)),
      ...part('text', plainRuns(source)),
      ...detailFacts(details),
      ...buttons(links.map(({ text }) => text)),
    ],
  }),
)

const opsgenie = painter(
  'pager',
  object({ message: string(), priority: string(), description: string(), details: DETAILS }),
  ({ message, priority, description, details }) => ({
    parts: [
      ...part('lead', plainRuns(`Open, ${priority}`)),
      ...part('title', plainRuns(message)),
      ...lines(description),
      ...detailFacts(details),
    ],
  }),
)

const email = painter('mail', object({ subject: string(), text: string() }), ({ subject, text }) => ({
  parts: [...part('title', plainRuns(subject)), ...lines(text)],
}))

const PAINTERS: Readonly<Record<ChannelKind, Painter>> = {
  ...{ email, slack, 'slack-bot': slack, discord, teams, mattermost, telegram },
  ...{ 'google-chat': googleChat, ntfy: phone, pushover: phone, gotify: phone },
  ...{ pagerduty, opsgenie, webhook: () => null },
}
