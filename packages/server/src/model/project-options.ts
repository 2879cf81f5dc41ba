/**
 * Settings of a project: one entry each. Type, default, schema, form, web API, audit log, the check that nobody else
 * changed it meanwhile, the palette and the table of the handbook follow from it.
 */
import { max } from '#limits/limits.ts'
import type { CodeMapping } from './code-mapping.ts'
import {
  choiceSetting,
  type OptionSection,
  type OptionsOf,
  type PlacedSetting,
  placedSettings,
  settingGroup,
  specialSetting,
  switchSetting,
  textSetting,
  textsSetting,
  wholeOrNoneSetting,
  wholeSetting,
} from './setting-kinds.ts'

export interface RateLimit {
  /** Seconds. */
  readonly window: number
  /** Events, or any other items, each counted by its category's quantity. */
  readonly count: number
}

/** Which spans of a project are kept: those of failed and of slow segments always. What is left out is counted all the same. */
export interface SpanSampling {
  /** Share of the remaining traces to keep: above 0 and below 1. */
  readonly share: number
  /** Segments that take as long or longer are slow. */
  readonly slowMs: number
}

const DAYS_MAX = max('retentionDaysMax')
/** By hand: each thread makes this table when it starts, and what words the machine has for numbers takes 10 ms to load. */
const countInWords = (number: number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',')
const PATTERNS = `One per line, at most ${max('filterPatternsMax')}, each with at most ${max('filterPatternStarsMax')} asterisks.`
const ATTACHMENTS = { section: 'retention', part: 'Attachments' } as const
const SECRETS = { section: 'scrubbing', part: 'Secrets', format: 'key-name', rows: 4 } as const
const BY_SOURCE = { section: 'filters', part: 'By source' } as const
const BY_CONTENT = { section: 'filters', part: 'By content' } as const

/** All settings in the order of the web API. A form shows those of a part by `at`, which is 10 if left out, then in this order. */
export const PROJECT_SETTINGS = {
  scrub: settingGroup({
    /** Extra key names whose values are secrets; compared case-insensitively, as part of the key. */
    extraKeys: textsSetting({
      ...SECRETS,
      most: max('scrubKeysMax'),
      noun: 'Extra keys',
      label: 'Additional secret keys',
      hint: 'One per line, at most 100. Matches any part of a key, in any case: “iban” removes “customerIban”.',
    }),
    /** Key names that are never secrets; compared case-insensitively, whole. */
    allowedKeys: textsSetting({
      ...SECRETS,
      most: max('scrubKeysMax'),
      noun: 'Allowed keys',
      label: 'Safe keys',
      hint: 'One per line, at most 100. Never scrubbed. Matches the whole key, in any case: “session_length”.',
    }),
    clientAddress: choiceSetting({
      section: 'scrubbing',
      part: 'People',
      fallback: 'keep',
      words: { keep: 'Keep', truncate: 'Shorten', drop: 'Remove' },
      label: 'IP addresses of users',
      hint: '“Shorten” removes the last part of an IPv4 address and the last 80 bits of an IPv6 address.',
    }),
  }),
  /** Hosts, `*.host` or origins; empty allows any. */
  allowedDomains: textsSetting({
    section: 'scrubbing',
    part: 'Allowed domains',
    format: 'domain',
    most: max('allowedDomainsMax'),
    rows: 4,
    noun: 'Allowed domains',
    label: 'Domains that browsers may send from',
    hint: 'One per line: example.com, *.example.com or https://app.example.com. Leave empty to allow any. Refused events are listed on Outcomes.',
    alone: 'Allowed domains',
  }),
  rateLimit: specialSetting<RateLimit | null>({
    section: 'retention',
    at: 4,
    format: 'rate-limit',
    fallback: null,
    label: 'Rate limit',
    hint: 'Leave empty for no limit.',
  }),
  /** Events that a project does not want: each is counted as `filtered` under the rule's name, and not stored. */
  filters: settingGroup({
    /** Failures of extensions in the visitor's browser. */
    browserExtensions: switchSetting({
      ...BY_SOURCE,
      fallback: false,
      label: 'Browser extensions',
      hint: 'Errors thrown by an extension (chrome-extension://, moz-extension://, safari-web-extension://), and messages known to come from extensions.',
    }),
    /** Events of pages and services on the developer's own machine. */
    localhost: switchSetting({
      ...BY_SOURCE,
      fallback: false,
      label: 'Localhost',
      hint: 'Pages and requests on localhost, *.localhost, 127.0.0.0/8, ::1 or 0.0.0.0. A server behind a proxy that doesn’t forward the host looks local, too.',
    }),
    /** Events whose user agent is a crawler. */
    crawlers: switchSetting({
      ...BY_SOURCE,
      fallback: false,
      label: 'Web crawlers',
      hint: 'User agents of search engines, link previews and other crawlers. HTTP clients and headless test browsers don’t count as crawlers.',
    }),
    /** Redirects, "not found" and other throws that frameworks use to steer. */
    controlFlow: switchSetting({
      ...BY_SOURCE,
      fallback: true,
      label: 'Control flow',
      hint: 'Redirects, “not found” and thrown responses below 500 of Next.js, React Router, SvelteKit and TanStack Start. Missing assets of a build are kept.',
    }),
    /** Requests and navigations that the visitor or the page itself ended. */
    aborted: switchSetting({
      ...BY_SOURCE,
      fallback: true,
      label: 'Aborted requests',
      hint: 'Requests and navigations that the visitor or the page ended: AbortError, a client that disconnected. Network errors and timeouts are kept.',
    }),
    /** Globs with `*`, compared whole and case-insensitively. */
    releases: textsSetting({
      ...BY_CONTENT,
      format: 'pattern',
      most: max('filterPatternsMax'),
      rows: 3,
      noun: 'Releases',
      label: 'Releases',
      hint: `${PATTERNS} “shop@1.*” drops every 1.x. * matches any text; case doesn’t matter.`,
      alone: 'Filtered releases',
    }),
    /** Globs with `*` over `Type: value`, the value alone and the message; whole and case-insensitive. */
    messages: textsSetting({
      ...BY_CONTENT,
      format: 'pattern',
      most: max('filterPatternsMax'),
      rows: 4,
      noun: 'Messages',
      label: 'Messages',
      hint: `${PATTERNS} Matches all of “Type: value”, the type, the value or the message: “TypeError: *”, “*ResizeObserver loop*”.`,
      alone: 'Filtered messages',
    }),
    /** Client addresses, IPv4 or IPv6, or ranges such as `10.0.0.0/8`. */
    addresses: textsSetting({
      ...BY_CONTENT,
      format: 'address-range',
      most: max('filterAddressesMax'),
      rows: 3,
      noun: 'Addresses',
      label: 'IP addresses',
      hint: `One per line, at most ${max('filterAddressesMax')}: 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32. Compared with the sender and with the user’s address in the event.`,
      alone: 'Filtered IP addresses',
    }),
  }),
  /** Payloads stored of one issue in an hour of receipt, before they are sampled; `null` keeps all. Rows stay exact. */
  payloadsPerIssueHour: wholeOrNoneSetting({
    section: 'retention',
    at: 2,
    fallback: max('payloadsPerIssueHourDefault'),
    least: 1,
    most: max('payloadsPerIssueHourMax'),
    unit: 'events',
    noun: 'Payloads',
    label: 'Full events per issue and hour',
    hint: `Beyond this, 1 event in 10 keeps its details, later 1 in 100. Every event stays listed and counted. 1 to ${countInWords(max('payloadsPerIssueHourMax'))}; leave empty to keep all.`,
  }),
  /** Whether sudden growth over the project's own volume is capped at accept. */
  spikeProtection: switchSetting({
    section: 'retention',
    at: 3,
    fallback: true,
    label: 'Spike protection',
    hint: 'A sudden rise in errors is capped for the rest of the hour.',
  }),
  /** Whole days. Events older than this are hidden; files hold the class of `retentionClassOf`. */
  retentionDays: wholeSetting({
    section: 'retention',
    at: 1,
    fallback: max('retentionDaysDefault'),
    least: 1,
    most: DAYS_MAX,
    unit: 'days',
    noun: 'Days',
    label: 'Retention of events',
    hint: `1 to ${DAYS_MAX}. Older events are hidden at once and removed from disk later. Issues and their counts stay.`,
  }),
  /** Retention of spans, as `retentionDays`. */
  spanRetentionDays: wholeSetting({
    section: 'retention',
    part: 'Spans',
    fallback: max('spanRetentionDaysDefault'),
    least: 1,
    most: DAYS_MAX,
    unit: 'days',
    noun: 'Days',
    label: 'Retention of spans',
    hint: `1 to ${DAYS_MAX}. Older spans are hidden at once and removed from disk later.`,
  }),
  /** Whether attachments of events are kept at all. */
  attachments: switchSetting({
    ...ATTACHMENTS,
    fallback: true,
    label: 'Store attachments',
    hint: 'Files that SDKs send with events, such as screenshots and logs. They are not scrubbed.',
  }),
  /** Retention of attachments, as `retentionDays`. */
  attachmentRetentionDays: wholeSetting({
    ...ATTACHMENTS,
    fallback: max('attachmentRetentionDaysDefault'),
    least: 1,
    most: DAYS_MAX,
    unit: 'days',
    noun: 'Days',
    label: 'Retention of attachments',
    hint: `1 to ${DAYS_MAX}. Older attachments are hidden at once and removed from disk later.`,
  }),
  /** Attachments taken in 24 hours, in MB of 2^20 bytes; `null` takes all. */
  attachmentDailyMegabytes: wholeOrNoneSetting({
    ...ATTACHMENTS,
    fallback: max('attachmentDailyMegabytesDefault'),
    least: 1,
    most: max('attachmentDailyMegabytesMax'),
    unit: 'MB',
    noun: 'Megabytes',
    label: 'Attachments per day',
    hint: 'Attachments above it are dropped and counted; events are kept. Leave empty for no limit.',
  }),
  /** `null` keeps all spans. */
  spanSampling: specialSetting<SpanSampling | null>({
    section: 'retention',
    part: 'Spans',
    format: 'span-sampling',
    fallback: null,
    label: 'Sample rate',
    hint: 'Share of traces that keep their spans. Failed and slow requests are always kept, and every request is counted. Leave empty to keep all.',
    also: 'Slow from',
  }),
  /** Links from stack frames to sources. */
  codeMappings: specialSetting<readonly CodeMapping[]>({
    section: 'source-maps',
    format: 'code-mappings',
    fallback: [],
    label: 'Code mappings',
    hint: 'Link frames to your repository.',
  }),
  /** Fingerprint rules, one a line, accepted by `parseGroupingRules` without problems. */
  fingerprintingRules: textSetting({
    section: 'grouping',
    format: 'grouping-rules',
    fallback: '',
    label: 'Fingerprint rules',
    hint: `At most ${max('groupingRulesMax')}, one per line. Lines that begin with # are comments.`,
  }),
  /** Numbers beside its own that clients may name it by, as they stand in DSNs of where it was before. */
  furtherNumbers: textsSetting({
    section: 'keys',
    format: 'project-number',
    most: max('furtherNumbersMax'),
    isUnique: true,
    rows: 3,
    noun: 'Project numbers',
    label: 'Also accept',
    hint: `One number per line, at most ${max('furtherNumbersMax')}. Clients that were set up for another server keep working with the number and key of their DSN.`,
    alone: 'Project numbers',
  }),
} as const

export type ProjectOptions = OptionsOf<typeof PROJECT_SETTINGS>

/** Every setting with its place in the options, in the order of the table. */
export const PLACED_SETTINGS = placedSettings(PROJECT_SETTINGS)

const AT_DEFAULT = 10

/** Returns the settings of a page in the order of its form: part by part, as the table first names them. */
export function settingsIn(section: OptionSection): readonly PlacedSetting[] {
  const own = PLACED_SETTINGS.filter(({ setting }) => setting.section === section)
  const parts = [...new Set(['', ...own.map(({ setting }) => setting.part ?? '')])]
  return own.toSorted(
    ({ setting: a }, { setting: b }) =>
      parts.indexOf(a.part ?? '') - parts.indexOf(b.part ?? '') ||
      (a.at ?? AT_DEFAULT) - (b.at ?? AT_DEFAULT),
  )
}
