/** Texts in the markup of each service, as its app reads them. Pure. */
import { byWord } from '#ui/by-word.ts'
import type { Run } from './picture.ts'

/** Slack's mrkdwn. https://docs.slack.dev/messaging/formatting-message-text */
export function slackRuns(text: string): readonly Run[] {
  const marks =
    /\*<[^|>]+\|(?<bold>[^>]*)>\*|<[^|>]+\|(?<link>[^>]*)>|\*(?<strong>[^*\n]+)\*|`(?<code>[^`\n]+)`/g
  return splitIntoRuns(text, marks, ({ bold, link, strong, code }) => {
    if (code !== undefined) return { text: unescapeEntities(code), as: 'code' }
    if (strong !== undefined) return { text: unescapeEntities(strong), as: 'bold' }
    return { text: unescapeEntities(bold ?? link ?? ''), as: 'link' }
  }).map((run) => (run.as === 'text' ? { ...run, text: unescapeEntities(run.text) } : run))
}

/** Markdown of Discord, Mattermost and Teams. */
export function markdownRuns(text: string): readonly Run[] {
  const marks = /\\(?<plain>[\\`*_~|[\](){}<>#+!-])|`(?<code>[^`\n]+)`|\[(?<link>[^\]\n]+)\]\([^)\s]+\)/g
  return splitIntoRuns(text, marks, ({ plain, code, link }) => {
    if (plain !== undefined) return { text: plain, as: 'text' }
    return code === undefined ? { text: link ?? '', as: 'link' } : { text: code, as: 'code' }
  })
}

/** HTML as Telegram and Google Chat take it. */
export function htmlRuns(text: string): readonly Run[] {
  const marks = /<b>(?<bold>.*?)<\/b>|<a [^>]*>(?<link>.*?)<\/a>|<code>(?<code>.*?)<\/code>/g
  return splitIntoRuns(text, marks, ({ bold, link, code }) => {
    if (code !== undefined) return { text: unescapeEntities(code), as: 'code' }
    return bold === undefined
      ? { text: unescapeEntities(link ?? ''), as: 'link' }
      : { text: unescapeEntities(bold), as: 'bold' }
  }).map((run) => (run.as === 'text' ? { ...run, text: unescapeEntities(run.text) } : run))
}

export function plainRuns(text: string): readonly Run[] {
  return text === '' ? [] : [{ text, as: 'text' }]
}

type Groups = Readonly<Record<string, string | undefined>>

/** Splits text at the marks; neighbours of one kind are joined. */
function splitIntoRuns(text: string, marks: RegExp, read: (groups: Groups) => Run): readonly Run[] {
  const runs: Run[] = []
  const add = (run: Run) => {
    const last = runs.at(-1)
    if (run.text === '') return
    if (run.as === 'text' && last?.as === 'text')
      runs[runs.length - 1] = { text: last.text + run.text, as: 'text' }
    else runs.push(run)
  }
  let end = 0
  for (const match of text.matchAll(marks)) {
    add({ text: text.slice(end, match.index), as: 'text' })
    add(read(match.groups ?? {}))
    end = match.index + match[0].length
  }
  add({ text: text.slice(end), as: 'text' })
  return runs
}

const ENTITIES: Readonly<Record<string, string>> = byWord({ '&lt;': '<', '&gt;': '>', '&amp;': '&' })

function unescapeEntities(text: string): string {
  return text.replace(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity)
}
