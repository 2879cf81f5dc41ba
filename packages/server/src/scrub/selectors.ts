/** Values that a breadcrumb of a page shows of the fields it tells of: `input[name="password"][value="X"]`. */
import { FILTERED } from './filtered.ts'
import type { SecretKeys } from './keys.ts'

/**
 * Elements with classes, ids and kinds that are words, as pages tell what was clicked on. No value stands in it, whatever
 * its parts are called: `form.password-reset > button.token-action[type="submit"]`.
 */
const PLAIN =
  /^(?:(?:html|body|div|span|main|section|article|aside|header|footer|nav|form|fieldset|label|input|button|select|option|textarea|a|p|i|b|em|strong|small|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|th|td|img|svg|path|g|use|h[1-6]|dialog|details|summary|figure|video|canvas)(?:[.#][A-Za-z][A-Za-z_-]{0,31}){0,8}(?:\[(?:type|name|role)="[A-Za-z][A-Za-z_-]{0,31}"\]){0,3}(?: > (?=[a-z])|$)){1,16}$/

/** True for a selector without anything that somebody typed. */
export function isPlainSelector(text: string): boolean {
  return PLAIN.test(text)
}

interface SelectorOptions {
  readonly keys: SecretKeys
  readonly onFound: (rule: string, value: string) => void
}

const VALUE = /\[(value|title|alt|placeholder|data-value)=(["'])([^"'\n]{1,1024})\2\]/g
const ELEMENT_CHARS = 400
const CHOSEN =
  /type=["']?(?:radio|checkbox|button|submit|reset|range|color|file|image)|^(?:button|option|select|li|a)\b/i
const NAME =
  /\[(?:name|id|aria-label|autocomplete|data-testid|formcontrolname)=["']([^"'\]\n]{1,64})["']\]|[#.]([\w-]{2,64})/gi

/** `isTyped`: of an input that somebody typed into, whatever it is called. */
export function scrubSelectors(
  text: string,
  { keys, onFound, isTyped }: SelectorOptions & { readonly isTyped: boolean },
): string {
  return text.replace(VALUE, (whole: string, ...groups: (string | number)[]) => {
    const [attribute = '', quote = '', value = ''] = groups.map(String)
    const at = Number(groups[3])
    if (value === FILTERED) return whole
    const start = Math.max(text.lastIndexOf('>', at), text.lastIndexOf(' ', at), at - ELEMENT_CHARS, -1) + 1
    const behind = text.slice(at + whole.length, at + whole.length + ELEMENT_CHARS)
    const element = text.slice(start, at) + (/^[^ >]*/.exec(behind)?.[0] ?? '')
    const rule =
      ruleOfElement(element, keys) ??
      (isTyped && attribute === 'value' && !CHOSEN.test(element) ? 'typed' : null)
    if (rule === null || (attribute !== 'value' && attribute !== 'data-value')) return whole
    onFound(rule, value)
    return `[${attribute}=${quote}${FILTERED}${quote}]`
  })
}

function ruleOfElement(element: string, keys: SecretKeys): string | null {
  if (/type=["']?password/i.test(element)) return 'password'
  for (const [, named, plain] of element.matchAll(NAME)) {
    const rule = keys.ruleOf(named ?? plain ?? '')
    if (rule !== null) return rule
  }
  return null
}
