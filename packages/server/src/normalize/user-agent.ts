/**
 * Reads browser, system and device from a User-Agent header. Small on purpose: the names that people filter
 * by, from the tokens that common engines send; anything else gives nothing rather than a guess.
 */
import { byWord } from '#base/by-word.ts'
import { Memo } from '#base/memo.ts'

export interface UserAgentFacts {
  readonly browser?: { readonly name: string; readonly version?: string }
  readonly os?: { readonly name: string; readonly version?: string }
  readonly device?: { readonly family: string; readonly model?: string; readonly brand?: string }
}

const CHARS_MAX = 512

// In order: derived browsers name the ones they derive from as well.
const BROWSERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/([\d.]{1,20})/],
  ['Opera', /\b(?:OPR|OPT|OPiOS)\/([\d.]{1,20})/],
  ['Samsung Internet', /\bSamsungBrowser\/([\d.]{1,20})/],
  ['Yandex Browser', /\bYaBrowser\/([\d.]{1,20})/],
  ['Vivaldi', /\bVivaldi\/([\d.]{1,20})/],
  ['DuckDuckGo', /\bD(?:uckDuckGo|dg)\/([\d.]{1,20})/],
  ['UC Browser', /\bUC ?Browser\/([\d.]{1,20})/],
  ['Electron', /\bElectron\/([\d.]{1,20})/],
  ['HeadlessChrome', /\bHeadlessChrome\/([\d.]{1,20})/],
  ['Firefox iOS', /\bFxiOS\/([\d.]{1,20})/],
  ['Chrome Mobile iOS', /\bCriOS\/([\d.]{1,20})/],
  ['Facebook', /\bFBAV\/([\d.]{1,20})/],
  ['Instagram', /\bInstagram ([\d.]{1,20})/],
  ['Firefox', /\bFirefox\/([\d.]{1,20})/],
  ['Chrome', /\bChrom(?:e|ium)\/([\d.]{1,20})/],
  ['Safari', /\bVersion\/([\d.]{1,20}) .{0,40}Safari\//],
  ['IE', /\bMSIE ([\d.]{1,20})/],
  ['IE', /\bTrident\/.{1,80}\brv:([\d.]{1,20})/],
]

const BOT = /\b([\w.-]{0,30}(?:bot|crawler|spider|slurp))\b(?:\/([\d.]{1,20}))?/i
const WINDOWS_NAMES: Readonly<Record<string, string>> = byWord({
  '10.0': '>=10',
  '6.3': '8.1',
  '6.2': '8',
  '6.1': '7',
  '6.0': 'Vista',
  '5.1': 'XP',
})

/** Reads a User-Agent header. Each part is absent where the header does not tell. */
export function readUserAgent(header: string): UserAgentFacts {
  return HEADERS.of(header)
}

// Twenty patterns a header, and few headers: those of the current versions of a handful of browsers.
const HEADERS = new Memo(userAgentFacts, { entriesMax: 2_000, charsMax: CHARS_MAX })

function userAgentFacts(header: string): UserAgentFacts {
  const text = header.slice(0, CHARS_MAX)
  if (!text.startsWith('Mozilla/') && !text.startsWith('Opera/')) return botOf(text)
  const bot = botOf(text)
  if (bot.browser !== undefined) return bot
  const browser = browserOf(text)
  const os = osOf(text)
  const device = userAgentDevice(text)
  return {
    ...(browser === undefined ? {} : { browser }),
    ...(os === undefined ? {} : { os }),
    ...(device === undefined ? {} : { device }),
  }
}

function botOf(text: string): UserAgentFacts {
  const match = BOT.exec(text)
  const name = match?.[1]
  if (name === undefined) return {}
  return { browser: nameWithVersion(name, match?.[2]), device: { family: 'Spider' } }
}

function browserOf(text: string): UserAgentFacts['browser'] {
  for (const [name, pattern] of BROWSERS) {
    const match = pattern.exec(text)
    if (match === null) continue
    const isMobile = /\bMobile\b/.test(text)
    const mobileName =
      isMobile && (name === 'Chrome' || name === 'Safari' || name === 'Firefox') ? mobileNameOf(name) : name
    return nameWithVersion(mobileName, match[1])
  }
  return undefined
}

function mobileNameOf(name: string): string {
  return name === 'Safari' ? 'Mobile Safari' : `${name} Mobile`
}

function osOf(text: string): UserAgentFacts['os'] {
  const windows = /\bWindows NT ([\d.]{1,8})/.exec(text)?.[1]
  if (windows !== undefined) return nameWithVersion('Windows', WINDOWS_NAMES[windows] ?? windows)
  const ios = /\b(?:iPhone OS|CPU OS|CPU iPhone OS) (\d{1,3}(?:_\d{1,3}){0,3})/.exec(text)?.[1]
  if (ios !== undefined) return nameWithVersion('iOS', ios.replaceAll('_', '.'))
  const android = /\bAndroid(?: (\d{1,3}(?:\.\d{1,3}){0,3}))?/.exec(text)
  if (android !== null) return nameWithVersion('Android', android[1])
  const mac = /\bMac OS X(?: (\d{1,3}(?:[_.]\d{1,3}){0,3}))?/.exec(text)
  if (mac !== null) return nameWithVersion('macOS', mac[1]?.replaceAll('_', '.'))
  if (/\bCrOS\b/.test(text))
    return nameWithVersion('Chrome OS', /\bCrOS \S{1,16} ([\d.]{1,20})/.exec(text)?.[1])
  if (/\bUbuntu\b/.test(text)) return nameWithVersion('Ubuntu', undefined)
  return /\bLinux\b|\bX11\b/.test(text) ? nameWithVersion('Linux', undefined) : undefined
}

function userAgentDevice(text: string): UserAgentFacts['device'] {
  const apple = /\b(iPhone|iPad|iPod)\b/.exec(text)?.[1]
  if (apple !== undefined) return { family: apple, model: apple, brand: 'Apple' }
  if (/\bMacintosh\b/.test(text)) return { family: 'Mac', model: 'Mac', brand: 'Apple' }
  const model = /\bAndroid[^;)]{0,20};(?: [a-z]{2}-[A-Za-z]{2};)? ([^;)]{1,40})/.exec(text)?.[1]
  if (model === undefined) return undefined
  const plain = model.replace(/ Build\/.{0,40}$/, '').trim()
  // Reduced headers say "K" for every device.
  return plain === '' || plain === 'K' || plain === 'Mobile' || plain.startsWith('rv:')
    ? undefined
    : { family: plain, model: plain }
}

function nameWithVersion(name: string, version: string | undefined): { name: string; version?: string } {
  return version === undefined || version === '' ? { name } : { name, version }
}
