/** A message in Slack's Block Kit. https://docs.slack.dev/reference/block-kit/blocks */
import { type ChannelSending, COLOURS } from '../channel-type.ts'
import { slackText } from './escapes.ts'

const SECTION_FIELDS_MAX = 10
const TEXT_CHARS_MAX = 2_900

export interface SlackButton {
  readonly action: string
  readonly label: string
  readonly style?: 'primary' | 'danger'
}

/** `buttons` act in Slack itself, which an incoming webhook cannot. */
export function slackMessage(sending: ChannelSending, buttons: readonly SlackButton[]) {
  const { message, words } = sending
  return {
    // What notifications and screen readers say.
    text: slackText(`${words.lead}: ${words.title}`),
    attachments: [{ color: COLOURS[message.level], blocks: blocksOf(sending, buttons) }],
    unfurl_links: false,
    unfurl_media: false,
  }
}

function blocksOf({ words, message }: ChannelSending, buttons: readonly SlackButton[]): readonly unknown[] {
  const [first] = words.links
  const place = words.place === null ? '' : `\n\`${slackText(words.place).replace(/`/g, 'ˋ')}\``
  const lines = words.lines.map((line) => `• ${slackText(line)}`).join('\n')
  const blocks: unknown[] = [
    { type: 'context', elements: [mrkdwn(slackText(words.lead))] },
    { type: 'section', text: mrkdwn(`*<${first.url}|${linkText(words.title)}>*${place}`) },
  ]
  if (lines !== '') blocks.push({ type: 'section', text: mrkdwn(lines) })
  const fields = words.facts
    .slice(0, SECTION_FIELDS_MAX)
    .map(({ label, value }) => mrkdwn(`*${slackText(label)}*\n${slackText(value)}`))
  if (fields.length > 0) blocks.push({ type: 'section', fields })
  blocks.push({
    type: 'actions',
    elements: [
      ...buttons.map(({ action, label, style }) => ({
        ...{ type: 'button', action_id: action, value: message.issue?.shortId ?? '', text: plain(label) },
        ...(style === undefined ? {} : { style }),
      })),
      ...words.links.map(({ label, url }, at) => ({
        ...{ type: 'button', action_id: `open-${at}`, url, text: plain(label) },
      })),
    ],
  })
  return blocks
}

function mrkdwn(text: string) {
  return { type: 'mrkdwn', text: text.slice(0, TEXT_CHARS_MAX) }
}

function plain(text: string) {
  return { type: 'plain_text', text }
}

/** A link's text ends with the first `|` or `>`. */
function linkText(text: string): string {
  return slackText(text).replace(/\|/g, '¦')
}
