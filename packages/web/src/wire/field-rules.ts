/**
 * Checks a form's fields before anything is sent, in our words and in the same place and look as the server's
 * refusal. The browser's bubble speaks its own language, covers the page and is gone after a moment.
 */
import type { ActionFields } from './use-action.ts'

type Checked = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Field with its own constraints; `validity` is the browser's. */
export interface FieldFacts {
  readonly label: string
  readonly type: string
  readonly validity: Partial<Record<keyof ValidityState, boolean>>
  readonly min?: string
  readonly max?: string
  readonly minLength?: number
}

/** By name, as the server names them: `name[]` without its brackets. Only fields that a person sees. */
export function brokenFields(form: HTMLFormElement): ActionFields {
  const fields: Record<string, readonly string[]> = {}
  for (const element of form.elements) {
    if (!isChecked(element) || element.validity.valid || element.name === '') continue
    fields[fieldName(element)] ??= [ruleText(factsOf(element))]
  }
  return fields
}

/** The fields that are still broken of those that were, after somebody typed into one. */
export function stillBroken(form: HTMLFormElement, before: ActionFields): ActionFields {
  const now = brokenFields(form)
  return Object.fromEntries(Object.entries(now).filter(([name]) => name in before))
}

export function ruleText({ label, type, validity, min, max, minLength }: FieldFacts): string {
  if (validity.valueMissing === true) return `${label} is required.`
  if (validity.typeMismatch === true) {
    return type === 'email'
      ? 'Enter an email such as name@example.com.'
      : 'Enter a URL such as https://example.com.'
  }
  if (validity.tooShort === true) return `At least ${minLength} characters.`
  if (validity.rangeUnderflow === true) return `At least ${min}.`
  if (validity.rangeOverflow === true) return `At most ${max}.`
  if (validity.stepMismatch === true || validity.badInput === true) return 'Enter a whole number.'
  return `${label} isn’t valid.`
}

function isChecked(element: Element): element is Checked {
  const isField =
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  return isField && element.willValidate
}

function fieldName({ name }: Checked): string {
  return name.endsWith('[]') ? name.slice(0, -2) : name
}

function factsOf(element: Checked): FieldFacts {
  const label = element.labels?.[0]?.textContent?.trim() ?? ''
  const { validity, type } = element
  const facts = { label: label === '' ? 'This' : label, type, validity }
  if (!(element instanceof HTMLInputElement)) return facts
  return { ...facts, min: element.min, max: element.max, minLength: element.minLength }
}
