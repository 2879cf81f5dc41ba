/**
 * The typed table of settings: flag, variable, default, unit, reason. A new one must name who turns it and why a
 * constant will not do. Precedence: flag, then variable, then `errata.config.json` in the data directory.
 */
import { resolve, sep } from 'node:path'
import { readByteSize } from '#base/byte-size.ts'
import { isObject } from '#base/json.ts'
import { max } from './limits.ts'
import { readMailFrom, readSmtpUrl, type SmtpServer } from './smtp-setting.ts'

export interface SettingEntry {
  readonly flag: string
  readonly variable: string
  readonly fallback: string
  readonly unit: string
  readonly reason: string
}

export const SETTINGS = {
  data: {
    flag: '--data',
    variable: 'ERRATA_DATA',
    fallback: './errata-data',
    unit: 'path',
    reason: 'Where everything is kept.',
  },
  port: {
    flag: '--port',
    variable: 'ERRATA_PORT',
    fallback: '9000',
    unit: 'port',
    reason: 'The next free one is taken when it is in use and was not set.',
  },
  host: {
    flag: '--host',
    variable: 'ERRATA_HOST',
    fallback: '',
    unit: 'address',
    reason: 'Empty listens on every address; behind a proxy on the same machine use 127.0.0.1.',
  },
  url: {
    flag: '--url',
    variable: 'ERRATA_URL',
    fallback: 'the address of setup',
    unit: 'URL',
    reason:
      'The public address: DSNs, links and tokens begin with it, and people sign in only there. Without it, any address that reaches Errata works.',
  },
  trustedProxies: {
    flag: '--trusted-proxies',
    variable: 'ERRATA_TRUSTED_PROXIES',
    fallback: '',
    unit: 'addresses or CIDR ranges, comma separated',
    reason: 'Only these may say who the client is.',
  },
  clientAddressHeader: {
    flag: '--client-address-header',
    variable: 'ERRATA_CLIENT_ADDRESS_HEADER',
    fallback: 'x-forwarded-for',
    unit: 'name of a header',
    reason:
      'Where the trusted proxies write the client’s address, such as cf-connecting-ip or forwarded; any other header passes through them as the client wrote it.',
  },
  reportDsn: {
    flag: '--report-dsn',
    variable: 'ERRATA_REPORT_DSN',
    fallback: '',
    unit: 'DSN',
    reason: 'Sends Errata’s own failures to another server instead of to itself.',
  },
  smtpUrl: {
    flag: '--smtp-url',
    variable: 'ERRATA_SMTP_URL',
    fallback: '',
    unit: 'URL',
    reason:
      'The mail server, such as smtps://USER:PASSWORD@mail.example.com or smtp://mail.example.com:587; without one no email is sent.',
  },
  mailFrom: {
    flag: '--mail-from',
    variable: 'ERRATA_MAIL_FROM',
    fallback: '',
    unit: 'email',
    reason: 'Sender of emails, such as "Errata <errata@example.com>"; the mail server must accept it.',
  },
  webhookPrivateTargets: {
    flag: '--webhook-private-targets',
    variable: 'ERRATA_WEBHOOK_PRIVATE_TARGETS',
    fallback: 'refuse',
    unit: 'refuse or allow',
    reason:
      'Whether webhooks may call this machine and private networks; whoever may change a project could reach everything there.',
  },
  signInPrivateIssuers: {
    flag: '--sign-in-private-issuers',
    variable: 'ERRATA_SIGN_IN_PRIVATE_ISSUERS',
    fallback: 'refuse',
    unit: 'refuse or allow',
    reason:
      'Whether identity providers may be on this machine or a private network, and without https; whoever owns an organisation could reach everything there.',
  },
  dnsServers: {
    flag: '--dns-servers',
    variable: 'ERRATA_DNS_SERVERS',
    fallback: '',
    unit: 'IP addresses, with a port or without one, separated by commas; empty: those of the machine',
    reason:
      'DNS servers to ask for the records that verify email domains, where the machine’s own servers don’t see them.',
  },
  metricsToken: {
    flag: '--metrics-token',
    variable: 'ERRATA_METRICS_TOKEN',
    fallback: '',
    unit: 'text',
    reason:
      'What Prometheus sends as "Authorization: Bearer …"; with one, this machine must send it too; without, /metrics answers this machine alone.',
  },
  backupDirectory: {
    flag: '--backup-directory',
    variable: 'ERRATA_BACKUP_DIRECTORY',
    fallback: '',
    unit: 'path',
    reason: 'Where backups go, best on another disk; without one, none is scheduled.',
  },
  backupEvery: {
    flag: '--backup-every',
    variable: 'ERRATA_BACKUP_EVERY',
    fallback: '24',
    unit: 'hours',
    reason: 'How often a backup is made: a lost disk loses at most this much.',
  },
  backupKeep: {
    flag: '--backup-keep',
    variable: 'ERRATA_BACKUP_KEEP',
    fallback: '7',
    unit: 'snapshots',
    reason: 'How many are kept, the newest; each holds what changed since the one before.',
  },
  maxDisk: {
    flag: '--max-disk',
    variable: 'ERRATA_MAX_DISK',
    fallback: '',
    unit: 'size, such as 20GB',
    reason:
      'How much disk the data directory may use; beyond it, the oldest events are deleted before their retention ends. Without one, only retention decides.',
  },
  processThreads: {
    flag: '--process-threads',
    variable: 'ERRATA_PROCESS_THREADS',
    fallback: '',
    unit: 'number from 1 to 64; empty: follows the cores',
    reason:
      'How many threads process what was received. Without it they follow the cores: two on two, one fewer than cores on more; they begin when events wait and end when idle. Set it where Errata shall leave cores to others, or share a machine whose cores it cannot see.',
  },
  acceptThreads: {
    flag: '--accept-threads',
    variable: 'ERRATA_ACCEPT_THREADS',
    fallback: '',
    unit: 'number from 1 to 16; empty: follows the cores',
    reason:
      'How many threads read what is sent, behind one port. Without it they follow the cores: one on fewer than eight, then one for each four, at most four. With one, the main thread reads; so it does on systems that let no threads share a port (Linux does).',
  },
  stopPause: {
    flag: '--stop-pause',
    variable: 'ERRATA_STOP_PAUSE',
    fallback: '0',
    unit: 'seconds',
    reason:
      'How long requests are still answered after SIGTERM while /health says 503, so that the load balancer stops sending more: 10 in Kubernetes, 0 elsewhere.',
  },
  logLevel: {
    flag: '--log-level',
    variable: 'ERRATA_LOG_LEVEL',
    fallback: 'info',
    unit: 'debug, info, warn or error',
    reason: 'How much the log says.',
  },
} as const satisfies Readonly<Record<string, SettingEntry>>

export type SettingName = keyof typeof SETTINGS

/** Settings as the rest of Errata sees them: complete, checked, frozen. */
export interface Settings {
  /** Absolute path. */
  readonly data: string
  readonly port: number
  /** True when a person named the port: then a taken one is an error, not a reason to look for the next. */
  readonly portChosen: boolean
  readonly host: string
  /** Public address without trailing slash; `null` until the port is known. */
  readonly url: string | null
  /** Addresses or CIDR ranges. */
  readonly trustedProxies: readonly string[]
  /** Lower case. */
  readonly clientAddressHeader: string
  readonly reportDsn: string | null
  /** `null`: no mail is sent. Holds the password: never logged, never shown. */
  readonly smtp: SmtpServer | null
  readonly webhookPrivateTargets: boolean
  readonly signInPrivateIssuers: boolean
  /** Empty: those of the machine. */
  readonly dnsServers: readonly string[]
  readonly metricsToken: string | null
  readonly backup: BackupSettings
  /** Bytes; `null`: age alone decides. */
  readonly maxDiskBytes: number | null
  /** `null`: as many as the cores and the memory allow. */
  readonly processThreads: number | null
  /** `null`: as many as the cores allow. */
  readonly acceptThreads: number | null
  readonly stopPauseMs: number
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
}

export interface BackupSettings {
  /** Absolute path; `null`: no backup is made by itself. */
  readonly directory: string | null
  readonly everyHours: number
  readonly keep: number
}

export type SettingSources = {
  readonly flags: Readonly<Partial<Record<SettingName, string>>>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Parsed `errata.config.json`; `undefined` if there is none. */
  readonly file?: unknown
}

export type SettingsAnswer =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly mistakes: readonly string[] }

/** Reads every setting and lists every mistake at once. */
export function readSettings(sources: SettingSources): SettingsAnswer {
  const mistakes: string[] = fileMistakes(sources.file)
  const text = (name: SettingName): { value: string; chosen: boolean } => {
    const entry = SETTINGS[name]
    const fromFile = isObject(sources.file) ? sources.file[name] : undefined
    const chosen = sources.flags[name] ?? nonEmpty(sources.env[entry.variable]) ?? fileText(fromFile)
    return { value: chosen ?? entry.fallback, chosen: chosen !== undefined }
  }
  const port = text('port')
  const url = text('url')
  const logLevel = text('logLevel').value
  if (!isPortText(port.value))
    mistakes.push(mistake('port', `is "${port.value}", but must be a number from 0 to 65535`))
  const address = url.chosen ? publicAddress(url.value) : null
  if (url.chosen && address === null) {
    mistakes.push(
      mistake('url', `is "${url.value}", but must be an http or https address without query or fragment`),
    )
  }
  const proxies = splitList(text('trustedProxies').value)
  for (const proxy of proxies) {
    if (!PROXY.test(proxy))
      mistakes.push(mistake('trustedProxies', `names "${proxy}", which is no address or CIDR range`))
  }
  const clientAddressHeader = readHeaderName(text('clientAddressHeader').value, mistakes)
  const reportDsn = text('reportDsn').value
  if (reportDsn !== '' && !isDsn(reportDsn)) {
    mistakes.push(mistake('reportDsn', 'is no DSN, such as https://KEY@errors.example.com/1'))
  }
  const smtp = readMail(text('smtpUrl').value, text('mailFrom').value, mistakes)
  const allowed = {
    webhookPrivateTargets: readAllowed('webhookPrivateTargets', text, mistakes),
    signInPrivateIssuers: readAllowed('signInPrivateIssuers', text, mistakes),
  }
  const dnsServers = readDnsServers(text('dnsServers').value, mistakes)
  const metricsToken = readMetricsToken(text('metricsToken').value, mistakes)
  const maxDiskBytes = readMaxDisk(text('maxDisk').value, mistakes)
  const run = {
    ...readThreadSettings(text, mistakes),
    stopPauseMs: readStopPause(text('stopPause').value, mistakes),
  }
  const data = readDataDirectory(text('data').value, mistakes)
  const backup = readBackup((name) => text(name).value, resolve(data), mistakes)
  const host = readHost(text('host').value, mistakes)
  if (!isLogLevel(logLevel)) {
    mistakes.push(mistake('logLevel', `is "${logLevel}", but must be debug, info, warn or error`))
  }
  if (mistakes.length > 0 || !isLogLevel(logLevel)) return { ok: false, mistakes }
  return {
    ok: true,
    settings: Object.freeze({
      data: resolve(data),
      port: Number(port.value),
      portChosen: port.chosen,
      host,
      url: address,
      trustedProxies: Object.freeze(proxies),
      clientAddressHeader,
      reportDsn: reportDsn === '' ? null : reportDsn,
      smtp,
      ...allowed,
      dnsServers,
      metricsToken,
      backup,
      maxDiskBytes,
      ...run,
      logLevel,
    }),
  }
}

const STOP_PAUSE_SECONDS_MAX = 120

function readDataDirectory(data: string, mistakes: string[]): string {
  if (data.trim() === '') mistakes.push(mistake('data', 'is empty, but must be a path'))
  return data
}

function readHeaderName(value: string, mistakes: string[]): string {
  const name = value.trim().toLowerCase()
  if (!HEADER_NAME.test(name))
    mistakes.push(mistake('clientAddressHeader', `is "${name}", which is no name of a header`))
  return name
}

function readHost(host: string, mistakes: string[]): string {
  if (!HOST.test(host)) mistakes.push(mistake('host', `is "${host}", which is no address or name of a host`))
  return host
}

function readStopPause(value: string, mistakes: string[]): number {
  const most = STOP_PAUSE_SECONDS_MAX
  if (!/^\d{1,3}$/.test(value) || Number(value) > most)
    mistakes.push(mistake('stopPause', `is "${value}", but must be a whole number from 0 to ${most}`))
  return Number(value) * 1_000
}

function readThreadSettings(
  text: (name: SettingName) => { readonly value: string },
  mistakes: string[],
): Pick<Settings, 'processThreads' | 'acceptThreads'> {
  const count = (name: 'processThreads' | 'acceptThreads', most: number): number | null => {
    const { value } = text(name)
    if (value === '') return null
    if (!/^\d{1,3}$/.test(value) || Number(value) < 1 || Number(value) > most)
      mistakes.push(mistake(name, `is "${value}", but must be a whole number from 1 to ${most}`))
    return Number(value)
  }
  return {
    processThreads: count('processThreads', max('processThreadsMax')),
    acceptThreads: count('acceptThreads', max('acceptThreadsMax')),
  }
}

/** Variables that begin like ours and are none: a name that was mistyped would be passed over in silence. */
export function unknownVariables(env: SettingSources['env']): readonly string[] {
  const known = new Set<string>([
    ...Object.values(SETTINGS).map(({ variable }) => variable),
    ...OTHER_VARIABLES,
  ])
  return Object.keys(env).filter((name) => {
    return name.startsWith('ERRATA_') && !known.has(name) && !name.startsWith('ERRATA_TEST_')
  })
}

/** Names variables of the command line, and of what builds and tests it. */
const OTHER_VARIABLES = [
  ...['ERRATA_TOKEN', 'ERRATA_CHILD', 'ERRATA_ORG', 'ERRATA_PROJECT', 'ERRATA_PACKAGE', 'ERRATA_APPS_CACHE'],
  ...['ERRATA_PROPERTY_SEED'],
]

const HOST = /^[A-Za-z0-9.:_%-]{0,253}$/
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/
/** An address with a port or without one. */
const DNS_SERVER = /^(\d{1,3}(\.\d{1,3}){3}(:\d{1,5})?|[0-9a-fA-F:]+|\[[0-9a-fA-F:]+\](:\d{1,5})?)$/
const PROXY = /^[0-9a-fA-F.:]+(\/\d{1,3})?$/

function fileMistakes(file: unknown): string[] {
  if (file === undefined) return []
  if (!isObject(file)) return ['errata.config.json must hold one JSON object']
  return Object.entries(file).flatMap(([name, value]) => {
    if (!Object.hasOwn(SETTINGS, name)) return [`errata.config.json has "${name}", which is no setting`]
    if (fileText(value) !== undefined) return []
    return [`errata.config.json has "${name}", which must be a text, a number or a list of texts`]
  })
}

function mistake(name: SettingName, what: string): string {
  return `${SETTINGS[name].flag} (${SETTINGS[name].variable}) ${what}`
}

/** Both or neither; the address of the mail server is never repeated, because it may hold a password. */
function readMail(url: string, from: string, mistakes: string[]): SmtpServer | null {
  if (url === '' && from === '') return null
  const server = url === '' ? null : readSmtpUrl(url)
  if (server === null) {
    const what = url === '' ? 'is needed with --mail-from' : 'is no address of a mail server'
    mistakes.push(mistake('smtpUrl', `${what}, such as smtps://USER:PASSWORD@mail.example.com`))
  }
  const sender = from === '' ? null : readMailFrom(from)
  if (sender === null) {
    const what = from === '' ? 'is needed with --smtp-url' : `is "${from}", which is no email`
    mistakes.push(mistake('mailFrom', `${what}, such as errata@example.com`))
  }
  return server === null || sender === null ? null : { ...server, from: sender }
}

function readDnsServers(text: string, mistakes: string[]): readonly string[] {
  const servers = text.split(/[\s,]+/).filter((each) => each !== '')
  for (const server of servers)
    if (!DNS_SERVER.test(server))
      mistakes.push(mistake('dnsServers', `has "${server}", which is no IP address`))
  return Object.freeze(servers)
}

function readAllowed(
  name: 'webhookPrivateTargets' | 'signInPrivateIssuers',
  text: (name: SettingName) => { readonly value: string },
  mistakes: string[],
): boolean {
  const { value } = text(name)
  if (value !== 'refuse' && value !== 'allow')
    mistakes.push(mistake(name, `is "${value}", but must be refuse or allow`))
  return value === 'allow'
}

function readBackup(
  text: (name: 'backupDirectory' | 'backupEvery' | 'backupKeep') => string,
  data: string,
  mistakes: string[],
): BackupSettings {
  const directory = text('backupDirectory') === '' ? null : resolve(text('backupDirectory'))
  if (directory !== null && (directory === data || directory.startsWith(data + sep))) {
    mistakes.push(mistake('backupDirectory', 'lies in the data directory, but must be outside of it'))
  }
  const whole = (name: 'backupEvery' | 'backupKeep', most: number): number => {
    const value = text(name)
    const isWhole = /^\d{1,6}$/.test(value) && Number(value) >= 1 && Number(value) <= most
    if (!isWhole) mistakes.push(mistake(name, `is "${value}", but must be a whole number from 1 to ${most}`))
    return Number(value)
  }
  return Object.freeze({ directory, everyHours: whole('backupEvery', 720), keep: whole('backupKeep', 1_000) })
}

/** Reads the token of /metrics; a value that no header can carry is a mistake. The message never repeats it. */
function readMetricsToken(value: string, mistakes: string[]): string | null {
  if (value === '') return null
  const most = max('metricsTokenCharsMax')
  if (!/^[\x21-\x7e]+$/.test(value) || value.length > most) {
    mistakes.push(mistake('metricsToken', `must be 1 to ${most} printable ASCII characters without spaces`))
  }
  return value
}

function readMaxDisk(value: string, mistakes: string[]): number | null {
  if (value === '') return null
  const bytes = readByteSize(value)
  const least = max('maxDiskBytesMin')
  if (bytes === null) mistakes.push(mistake('maxDisk', `is "${value}", but must be a size such as 20GB`))
  else if (bytes < least)
    mistakes.push(mistake('maxDisk', `is "${value}", but must be at least ${least} bytes`))
  return bytes
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value
}

function fileText(value: unknown): string | undefined {
  if (Array.isArray(value))
    return value.every((part) => typeof part === 'string') ? value.join(',') : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

function isPortText(value: string): boolean {
  return /^\d{1,5}$/.test(value) && Number(value) <= 65_535
}

/** The key is never shown: whoever has it can send. */
function isDsn(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, pathname } = new URL(value)
  return /^https?:$/.test(protocol) && username !== '' && /\/\d+$/.test(pathname)
}

function isLogLevel(value: string): value is Settings['logLevel'] {
  return value === 'debug' || value === 'info' || value === 'warn' || value === 'error'
}

function splitList(value: string): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Normalises a public address: no trailing slash, no query, fragment or credentials. */
function publicAddress(value: string): string | null {
  if (!URL.canParse(value)) return null
  const url = new URL(value)
  const plain = url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (!plain || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  return url.href.replace(/\/+$/, '')
}
