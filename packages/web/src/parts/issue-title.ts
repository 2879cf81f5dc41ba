/** Title of an issue, and what is new about it, in words. Pure. */
import { visibleText } from '#ui/visible-text.ts'
import type { Issue } from './issue-types.ts'

export const NEWS_WORDS = {
  new: 'New',
  regressed: 'Regressed',
  escalating: 'Escalating',
  waiting: 'Waiting',
} as const

/** Type in strong ink, message in normal: the two parts of a title, each once. */
export function titleParts(issue: Pick<Issue, 'title' | 'type' | 'value' | 'category'>): {
  readonly type: string
  readonly message: string
} {
  if (issue.category === 'skew') return { type: '', message: visibleText(issue.title) }
  if (issue.category === 'hydration') {
    const [, type = '', message = ''] = /^(?:(Hydration): )?(.*)$/s.exec(issue.title) ?? []
    return { type, message: visibleText(message) }
  }
  if (issue.type === '' || issue.type === 'Message') return { type: '', message: visibleText(issue.title) }
  const rest = issue.title.startsWith(`${issue.type}: `)
    ? issue.title.slice(issue.type.length + 2)
    : issue.value
  const firstLine = rest.split('\n', 1)[0] ?? ''
  return { type: visibleText(issue.type), message: visibleText(firstLine) }
}
