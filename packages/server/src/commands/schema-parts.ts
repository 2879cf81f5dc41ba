/** Schemas that several others are made of. */
import * as v from 'valibot'

/** Breaks a line, or turns the direction of what stands around it in mails, lists and logs. */
export const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** Schema of one line of text without control characters. */
export const line = (what: string, charsMax: number) =>
  v.pipe(
    v.string(`${what} must be text.`),
    v.trim(),
    v.minLength(1, `${what} is required.`),
    v.maxLength(charsMax, `${what} may have at most ${charsMax} characters.`),
    v.check((text) => !CONTROL.test(text), `${what} may not hold line breaks or control characters.`),
  )

export const listSchema = <T extends v.GenericSchema>(item: T, what: string, most: number) =>
  v.pipe(v.array(item, `${what} must be a list.`), v.maxLength(most, `${what}: at most ${most}.`))

export const wholeNumberSchema = (what: string, least: number, most: number) =>
  v.pipe(
    v.number(`${what} must be a number.`),
    v.integer(`${what} must be a whole number.`),
    v.minValue(least, `${what}: at least ${least}.`),
    v.maxValue(most, `${what}: at most ${most}.`),
  )
