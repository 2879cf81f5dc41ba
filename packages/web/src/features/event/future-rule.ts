/** The fingerprint rule that gives future events like an issue's a group of their own. Pure. */
import type { Issue } from '#parts/issue-types.ts'

const TEXT_CHARS = 200
/** A rule may have ten. */
const STARS = 8

export function futureRule({ type, value, title, function: name, shortId }: Issue): string {
  const isMessage = type === 'Message'
  const matchers = [
    ...(isMessage ? [] : [`error.type:${quoteText(type)}`]),
    ...(isMessage || name === null ? [] : [`stack.function:${quoteText(name)}`]),
    `message:${quoteText(messagePattern(value || title))}`,
  ]
  return `${matchers.join(' ')} -> ${quoteText(`from-${shortId.toLowerCase()}`)}`
}

/** Words with digits differ from event to event. */
function messagePattern(text: string): string {
  const whole = text.trim()
  const cut = (whole.split(/[\r\n]/, 1)[0] ?? '').slice(0, TEXT_CHARS)
  const end = cut.length < whole.length ? '*' : ''
  const parts = `${cut.replaceAll('*', ' ').replaceAll(/[\w.-]*\d[\w.-]*/g, '*')}${end}`.split(/\*+/)
  if (parts.length <= STARS) return parts.join('*')
  return `${parts.slice(0, STARS).join('*')}*`
}

/** Quotes a text, so that its quotes and backslashes stand for themselves. */
function quoteText(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
