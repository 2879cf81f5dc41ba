/** Links that only their receiver knows: of one time, that invite, that carry a key. Each look is bounded. */
import { FILTERED } from './filtered.ts'
import { isRandom, looksIssued } from './random.ts'

type OnFound = (rule: string, value: string) => void

export const STEPS =
  /\/((?:reset|forgot|recover|change|set|new|create)[-_]?password|password[-_]?(?:reset|recovery)|(?:password|account|email|mail|user)s?\/(?:reset|recover|verify|confirm|edit|activate|activation|confirmation|verification|unlock)|reset|(?:verify|confirm|validate|activate)(?:[-_]?(?:e?mail|account|token|user))?|(?:e?mail|account)[-_](?:verification|confirmation|activation)|verification|confirmation|activation|magic(?:[-_]?(?:link|login))?|passwordless|(?:accept[-_]?)?invit(?:e|es|ation|ations)|unsubscribe|unlock|recover|recovery|login(?:[-_]?link)?|otp|one[-_]?time|tokens?|signin|sso|join|hooks|share|pay|download|claim|redeem|rsvp)\/((?:\w{1,12}\/)?)([\w.~%=:+-]{6,1024})/gi

/** `/auth/magic?t=X`: the same behind a name of few letters. */
export const STEP_QUERY =
  /(\/(?:magic(?:[-_]?(?:link|login))?|passwordless|reset|(?:accept[-_]?)?invit(?:e|es|ation|ations)|(?:reset|forgot|recover|set|new)[-_]?password|password[-_]?reset|password\/(?:new|edit|reset)|verify(?:[-_]?email)?|confirm(?:[-_]?email)?|activate|unsubscribe|unlock|sso|otp)\/?\?(?:[\w.-]{1,24}=[^&#\s"'`<>]{0,128}&){0,4}[a-z]{1,8}=)([\w~%+-]{16,512})/gi
const MAYBE_STEP_QUERY = /[a-z]\/?\?[\w.-]{1,24}=/i

/** A step, and behind it what holds a digit and is as long as a code: what most addresses lack. */
const MAYBE_CODE = /\/[A-Za-z_-]{2,24}\/(?:\w{1,12}\/)?(?=[\w.~%=:+-]{0,40}\d)[\w.~%=:+-]{6}/

/** `/i/X/accept`: the step behind the code. */
export const STEP_BEHIND =
  /(\/[A-Za-z_-]{1,24}\/)([\w.~=-]{12,256})(?=\/(?:accept|join|confirm|activate|redeem|claim|rsvp|decline|verify)\b)/g
/** Addresses that invite by themselves. */
const INVITING =
  /((?:discord\.gg|discord(?:app)?\.com\/invite|t\.me\/joinchat|chat\.whatsapp\.com|join\.slack\.com\/t\/[\w-]{1,64}\/shared_invite)\/|t\.me\/\+)([\w-]{6,64})/g

/** `/l/X`, `/s/X`: a link made short, and behind it what only its receiver knows. */
const SHORT_STEP =
  /((?<=[\w\s"'`(])\/(?:[lsir]\/|(?:feeds?|ical|calendars?|private)[/-]))([0-9a-f]{24,64}|[\w-]{16,128})(?=$|[/?#\s"'`),]|\.ics\b)/g
const MAYBE_SHORT = /\/(?:[lsir]|feeds?|ical|calendars?|private)[/-][\w-]{16}/

function scrubShort(text: string, onFound: OnFound): string {
  return text.replace(SHORT_STEP, (whole: string, step: string, code: string) => {
    const isMixed =
      /(?=.{0,127}[a-z])(?=.{0,127}[A-Z])(?=.{0,127}\d)/.test(code) && isRandom(code, 0, code.length)
    if (!/^(?=[a-f]*\d)[0-9a-f]{24,64}$/.test(code) && !isMixed) return whole
    onFound('one_time_link', code)
    return step + FILTERED
  })
}

const MAYBE_STEP_BEHIND = /\/(?:accept|join|confirm|activate|redeem|claim|rsvp|decline|verify)\b/

function scrubStepsBehind(text: string, onFound: OnFound): string {
  return text.replace(STEP_BEHIND, (whole: string, step: string, code: string) => {
    if (!/\d/.test(code) || !looksIssued(code)) return whole
    onFound('one_time_link', code)
    return step + FILTERED
  })
}

export function scrubInviting(text: string, onFound: OnFound): string {
  if (!/discord|t\.me|whatsapp|shared_inv/.test(text)) return text
  return text.replace(INVITING, (_, before: string, code: string) => {
    onFound('one_time_link', code)
    return before + FILTERED
  })
}

/** Scrubs one-time links: a step of signing in or up, and behind it what only its receiver knows. */
export function scrubLinks(whole: string, onFound: OnFound): string {
  const short = MAYBE_SHORT.test(whole) ? scrubShort(whole, onFound) : whole
  const text = MAYBE_STEP_QUERY.test(short) ? scrubStepQueries(short, onFound) : short
  const before = MAYBE_STEP_BEHIND.test(text) ? scrubStepsBehind(text, onFound) : text
  if (!MAYBE_CODE.test(before)) return before
  return before.replace(STEPS, (whole: string, step: string, ...[user = '', code = '']: string[]) => {
    const isCode = /^\d{6,8}$/.test(code)
    if (/^%5B[\w.-]{1,64}%5D$/i.test(code)) return whole // `[token]` of a route
    if (!isCode && !looksIssued(code) && !(code.length >= 20 && isRandom(code, 0, code.length))) return whole
    if (/\.(?:[cm]?[jt]sx?|css|html?|php|map|json|png|svg)$/i.test(code)) return whole
    onFound('one_time_link', code)
    return `/${step}/${user}${FILTERED}`
  })
}

const MAYBE_KEY_STEP =
  /:\/\/[^\s"'`]{1,256}\/(?:v\d|(?:api[-_]?)?keys?|apikey)[./]|:\/\/api\.[\w.-]{1,128}\/[\w-]{24}/i
/** `/v1/KEY/resource`: of a resource, its name would stand before; behind a version or `key` stands who asks. */
const KEY_STEP =
  /(?<=:\/\/[\w.-]{1,128}(?::\d{1,5})?(?:\/[a-z][\w-]{0,23}){0,2}\/(?:v\d{1,2}(?:\.\d{1,2})?|(?:api[-_]?)?key|apikey)\/|:\/\/api\.[\w.-]{1,128}\/)([0-9a-f]{24,64}|[\w-]{24,128})(?=\/[a-z]|\/?(?:[?#\s"'`)]|$))/gi

export function scrubKeySteps(text: string, onFound: OnFound): string {
  if (!MAYBE_KEY_STEP.test(text)) return text
  return text.replace(KEY_STEP, (value: string) => {
    if (!/^(?=[a-f]*\d)[0-9a-f]{24,64}$/.test(value) && !isRandom(value, 0, value.length, 'mixed'))
      return value
    onFound('api_key', value)
    return FILTERED
  })
}

function scrubStepQueries(text: string, onFound: OnFound): string {
  return text.replace(STEP_QUERY, (whole: string, before: string, value: string) => {
    if (!looksIssued(value)) return whole
    onFound('one_time_link', value)
    return before + FILTERED
  })
}
