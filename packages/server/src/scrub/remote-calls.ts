/** Scrubs sign-ins by XML-RPC and its like: parameters without names. */
import { FILTERED } from './filtered.ts'

const METHOD =
  /<methodName>[^<]{0,80}(?:log_?in|auth|sign_?in|session|password|credential)[^<]{0,40}<\/methodName>/i
const VALUE = /(<(?:string|base64)>|<value>(?!\s{0,8}<))([^<]{1,1024})(?=<\/)/g

/** All texts behind the first one, which is who. */
export function scrubRemoteCalls(text: string, onFound: (rule: string, value: string) => void): string {
  if (!METHOD.test(text)) return text
  let count = 0
  return text.replace(VALUE, (whole: string, before: string, value: string) => {
    if (count++ === 0 || value === FILTERED || value.trim() === '') return whole
    onFound('password', value)
    return before + FILTERED
  })
}
