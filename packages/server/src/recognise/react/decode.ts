/**
 * The texts behind the numbers that production builds of React throw. Nothing is fetched: `codes.json` holds them, with
 * the wording of earlier majors where it was another.
 */
import codes from './codes.json' with { type: 'json' }

type Messages = Readonly<Record<string, string>>
const MESSAGES: Messages = codes.messages
/** By the last major that had the wording. */
const EARLIER: readonly (readonly [major: number, messages: Messages])[] = Object.entries(codes.earlier)
  .map(([major, messages]): readonly [number, Messages] => [Number(major), messages])
  .sort(([one], [other]) => one - other)

/** The address of the old documentation was built in until 18, that of the new one since 19. */
const OLD_ADDRESS_MAJOR = 18
const CODE = /Minified React error #(\d{1,5})(?:; visit (https:\/\/\S{1,8000}))?/
/** Either address alone, as builds that drop the sentence around it leave it. */
const ADDRESS =
  /https:\/\/(?:react\.dev\/errors\/|(?:[a-z]{2}\.)?reactjs\.org\/docs\/error-decoder(?:\.html)?\/?\?invariant=)(\d{1,5})/
const REST =
  / for the full message(?: or use the non-minified dev environment for full errors and additional helpful warnings)?\.?/
const ARGUMENT_CHARS_MAX = 500
const ARGUMENTS_MAX = 10
/** Cheap mark that every text with a number contains. */
const MARK = 'Minified React error #'

export interface ReactError {
  readonly code: number
  readonly args: readonly string[]
  /** With its arguments filled in; `null` for a number that no table names. */
  readonly text: string | null
}

/**
 * Decodes a minified error of React. `null` for a text without a number. `version` is React's own, such as `18.3.1`,
 * where the event tells it.
 */
export function readReactError(text: string, version?: string): ReactError | null {
  const found = text.includes(MARK) ? CODE.exec(text) : null
  const address = found?.[2] ?? (found === null && mayBeAddress(text) ? addressIn(text) : '')
  const code = found?.[1] ?? ADDRESS.exec(address)?.[1]
  if (code === undefined) return null
  const args = argumentsOf(address)
  const wordings = wordingsOf(code, majorOf(version, address))
  const message = wordings.find((one) => placesIn(one) === args.length) ?? wordings[0]
  return { code: Number(code), args, text: message === undefined ? null : fillMessage(message, args) }
}

/**
 * `Minified React error #418: Hydration failed because …`: the number stays, so that it is found by either. A text
 * without a number, or with an unknown one, comes back as it is.
 */
export function decodeReactText(text: string, version?: string): string {
  if (!text.includes(MARK)) return text
  const read = readReactError(text, version)
  if (read === null || read.text === null) return text
  const { code, text: decoded } = read
  return text.replace(CODE, () => `${MARK}${code}: ${decoded}`).replace(REST, '')
}

function mayBeAddress(text: string): boolean {
  return text.includes('react.dev/errors/') || text.includes('error-decoder')
}

function addressIn(text: string): string {
  const start = text.search(ADDRESS)
  return start === -1 ? '' : (/^\S{1,8000}/.exec(text.slice(start))?.[0] ?? '')
}

function majorOf(version: string | undefined, address: string): number | null {
  const told = Number.parseInt(version ?? '', 10)
  if (told >= 15 && told <= 99) return told
  return address.includes('reactjs.org') ? OLD_ADDRESS_MAJOR : null
}

/**
 * Returns wordings of the number in the given major, then in others: one of them takes as many arguments as
 * came.
 */
function wordingsOf(code: string, major: number | null): readonly string[] {
  const all = [
    ...EARLIER.map(([until, messages]) => [until, messages[code]] as const),
    [99, MESSAGES[code]] as const,
  ]
  const known = all.flatMap(([until, text]) => (text === undefined ? [] : [{ until, text }]))
  const own = known.filter(({ until }) => until >= (major ?? 99))
  return [...own, ...known.filter((one) => !own.includes(one)).reverse()].map(({ text }) => text)
}

function placesIn(message: string): number {
  return message.split('%s').length - 1
}

function fillMessage(message: string, args: readonly string[]): string {
  let at = 0
  return message.replace(/%s/g, () => args[at++] ?? '…').trim()
}

/** `args[]=HTML&args[]=`, in plain or as `args%5B%5D=`. */
function argumentsOf(address: string): readonly string[] {
  const args: string[] = []
  for (const match of address.matchAll(/[?&]args(?:\[\]|%5B%5D)=([^&#\s]{0,2000})/gi)) {
    args.push(decodeArgument(match[1] ?? '').slice(0, ARGUMENT_CHARS_MAX))
    if (args.length === ARGUMENTS_MAX) break
  }
  return args
}

function decodeArgument(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text // cut in the middle of a character: as it came
  }
}
