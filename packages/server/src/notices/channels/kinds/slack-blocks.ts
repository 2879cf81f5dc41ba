/** A message in Slack's Block Kit. https://docs.slack.dev/reference/block-kit/blocks */
import { type ChannelSending, COLOURS } from '../channel-type.ts'
import { slackText } from './escapes.ts'
import { escapedWithin, linesWithin } from './within.ts'

const SECTION_FIELDS_MAX = 10
const TEXT_CHARS_MAX = 3_000
/** Most characters of a field's label: 2,000 with its marks. */
const LABEL_CHARS_MAX = 400
const VALUE_CHARS_MAX = 1_500

export interface SlackButton {
  readonly action: string
  readonly label: string
  readonly style?: 'primary' | 'danger'
}

/** Makes the message of an alert for Slack. `buttons` act in Slack itself, which an incoming webhook cannot. */
export function slackMessage(sending: ChannelSending, buttons: readonly SlackButton[]) {
  const { message, words } = sending
  return {
    // What notifications and screen readers say: beside blocks it is not shown.
    text: slackText(`${words.lead}: ${words.title}`),
    blocks: [{ type: 'section', text: mrkdwn(slackText(words.lead)) }],
    attachments: [{ color: COLOURS[message.level], blocks: blocksOf(sending, buttons) }],
    unfurl_links: false,
    unfurl_media: false,
  }
}

function blocksOf({ words, message }: ChannelSending, buttons: readonly SlackButton[]): readonly unknown[] {
  const [first] = words.links
  const place = words.place === null ? '' : `\n\`${slackText(words.place).replace(/`/g, 'ˋ')}\``
  const bullets = words.lines.map((line) => `• ${slackText(line)}`)
  const lines = linesWithin(bullets, TEXT_CHARS_MAX)
  const blocks: unknown[] = [
    { type: 'section', text: mrkdwn(`*<${first.url}|${linkText(words.title)}>*${place}`) },
  ]
  if (lines !== '') blocks.push({ type: 'section', text: mrkdwn(lines) })
  const fields = words.facts.slice(0, SECTION_FIELDS_MAX).map(({ label, value }) => {
    const name = escapedWithin(label, LABEL_CHARS_MAX, slackText)
    return mrkdwn(`*${name}*\n${escapedWithin(value, VALUE_CHARS_MAX, slackText)}`)
  })
  if (fields.length > 0) blocks.push({ type: 'section', fields })
  blocks.push({
    type: 'actions',
    elements: [
      ...buttons.map(({ action, label, style }) => ({
        ...{
          type: 'button',
          action_id: action,
          value: message.issue?.shortId ?? '',
          text: plainTextBlock(label),
        },
        ...(style === undefined ? {} : { style }),
      })),
      ...words.links.map(({ label, url }, at) => ({
        ...{ type: 'button', action_id: `open-${at}`, url, text: plainTextBlock(label) },
      })),
    ],
  })
  return blocks
}

/** Verbatim: no name of a channel or person and no address in it becomes a link. */
function mrkdwn(text: string) {
  return { type: 'mrkdwn', text, verbatim: true }
}

function plainTextBlock(text: string) {
  return { type: 'plain_text', text }
}

/** A link's text ends with the first `|` or `>`. */
function linkText(text: string): string {
  return slackText(text).replace(/\|/g, '¦')
}
