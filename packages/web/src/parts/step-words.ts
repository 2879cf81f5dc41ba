import { stepText } from '#ui/time-text.ts'

/** `hour`, `day`, `15 min`: the width of a chart's bar in a sentence, where there is room for a word. */
export function stepWords(ms: number): string {
  const text = stepText(ms)
  return text === 'h' ? 'hour' : text === 'd' ? 'day' : text
}
