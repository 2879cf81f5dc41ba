/** Schemas of a project's options, made of the table of settings. Each rule is a sentence that stands beside the field that broke it. */
import * as v from 'valibot'
import { isAddressRange } from '#filter/address-ranges.ts'
import { max } from '#limits/limits.ts'
import { REPOSITORY_HOSTS } from '#model/code-mapping.ts'
import { parseGroupingRules } from '#model/grouping-rules.ts'
import { PROJECT_SETTINGS } from '#model/project-options.ts'
import type { Setting, SettingTable, SpecialSetting, TextFormat, TextSetting } from '#model/setting-kinds.ts'
import { type OptionsChange, withoutLeadingZeros } from '#ports/projects.ts'
import { CONTROL, line, listSchema, wholeNumberSchema } from './schema-parts.ts'

const DAY_SECONDS = 86_400
export const rateLimit = v.nullable(
  v.strictObject(
    {
      window: wholeNumberSchema('Seconds', 1, DAY_SECONDS),
      count: wholeNumberSchema('Items', 1, 1_000_000_000),
    },
    'A limit has `window` (seconds) and `count`.',
  ),
)

const SHARE_RULE = 'A share is above 0 and below 1.'
const spanSampling = v.nullable(
  v.strictObject(
    {
      share: v.pipe(
        v.number(SHARE_RULE),
        v.check((share) => share > 0 && share < 1, SHARE_RULE),
      ),
      slowMs: wholeNumberSchema('Milliseconds', 1, max('spanDurationMsMax')),
    },
    'A rule has `share` (above 0 and below 1) and `slowMs`.',
  ),
)

const PORT_MAX = 65_535

/** An open page's socket addresses, a scheme or a path are no domain: `example.com`, `*.example.com`, an origin. */
const domain = v.pipe(
  v.string('A domain must be text.'),
  v.trim(),
  v.regex(
    /^(?:https?:\/\/)?(?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?$|^\*$/i,
    'A host such as example.com, *.example.com, or an origin such as https://example.com.',
  ),
  v.check((text) => !text.includes('..'), 'A host can’t contain two dots in a row.'),
  v.check((text) => Number(/:(\d+)$/.exec(text)?.[1] ?? 1) <= PORT_MAX, `A port is at most ${PORT_MAX}.`),
)

const STARS_MAX = max('filterPatternStarsMax')
const pattern = v.pipe(
  line('A pattern', max('filterPatternCharsMax')),
  v.check((text) => text.split('*').length - 1 <= STARS_MAX, `At most ${STARS_MAX} asterisks in a pattern.`),
  v.check((text) => /[^*\s]/.test(text), 'A pattern needs more than asterisks: it would drop everything.'),
)
const addressRange = v.pipe(
  v.string('An address must be text.'),
  v.trim(),
  v.check(isAddressRange, 'An address such as 192.0.2.7 or a range such as 10.0.0.0/8 or 2001:db8::/32.'),
)

const NUMBER_RULE = 'A number of at most 20 digits, such as 4507123456789012.'
const projectNumber = v.pipe(
  v.string(NUMBER_RULE),
  v.trim(),
  v.regex(/^\d{1,20}$/, NUMBER_RULE),
  v.transform(withoutLeadingZeros),
)

const codePath = v.pipe(
  v.string('A path must be text.'),
  v.trim(),
  v.maxLength(max('codePathCharsMax'), `A path may have at most ${max('codePathCharsMax')} characters.`),
  v.check((text) => !CONTROL.test(text), 'A path may not hold line breaks or control characters.'),
)
const REPOSITORY_RULE = 'The address of a repository, such as https://github.com/acme/shop.'
const codeMapping = v.strictObject({
  stackRoot: codePath,
  sourceRoot: codePath,
  repository: v.pipe(
    line('A repository', max('codePathCharsMax')),
    v.regex(/^https?:\/\/[^\s/?#@]+\/[^\s?#]+$/, REPOSITORY_RULE),
    v.transform((text) => text.replace(/\/+$/, '').replace(/\.git$/, '')),
  ),
  host: v.picklist(REPOSITORY_HOSTS, `One of ${REPOSITORY_HOSTS.join(', ')}.`),
  branch: line('A branch', max('codePathCharsMax')),
})

const RULES_CHARS_MAX = max('groupingRulesCharsMax')
const fingerprintingRules = v.pipe(
  v.string('Rules must be text, one a line.'),
  v.transform((text) => text.replaceAll('\r\n', '\n').trimEnd()),
  v.maxLength(RULES_CHARS_MAX, `Rules have at most ${RULES_CHARS_MAX} characters.`),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    for (const { line: at, message } of parseGroupingRules(dataset.value).problems)
      addIssue({ message: `Line ${at}: ${message}` })
  }),
)

const TEXTS: Readonly<Record<TextFormat, v.GenericSchema<string, string>>> = {
  line: line('A text', max('nameCharsMax')),
  'key-name': line('A key name', 100),
  domain,
  pattern,
  'address-range': addressRange,
  'project-number': projectNumber,
}

const OTHERS: Readonly<Record<SpecialSetting['format'] | TextSetting['format'], v.GenericSchema>> = {
  'rate-limit': rateLimit,
  'span-sampling': spanSampling,
  'code-mappings': listSchema(codeMapping, 'Code mappings', max('codeMappingsMax')),
  'grouping-rules': fingerprintingRules,
}

/** Returns the schema of what a setting holds. */
function settingSchema(setting: Setting): v.GenericSchema {
  switch (setting.kind) {
    case 'whole':
      return wholeNumberSchema(setting.noun, setting.least, setting.most)
    case 'whole-or-none':
      return v.nullable(wholeNumberSchema(setting.noun, setting.least, setting.most))
    case 'switch':
      return v.boolean('On or off: true or false.')
    case 'choice': {
      const words = Object.keys(setting.words)
      return v.picklist(words, `One of ${words.join(', ')}.`)
    }
    case 'texts': {
      const texts = listSchema(TEXTS[setting.format], setting.noun, setting.most)
      return setting.isUnique === true
        ? v.pipe(
            texts,
            v.transform((given) => [...new Set(given)]),
          )
        : texts
    }
    case 'text':
    case 'special':
      return OTHERS[setting.format]
  }
}

/** May all be left out. */
type Entries = {
  readonly [Name in keyof OptionsChange]-?: v.OptionalSchema<
    v.GenericSchema<Exclude<OptionsChange[Name], undefined>>,
    undefined
  >
}

/** Returns schemas by name, each of which may be left out: what is not given stays as it is, also within a group. */
function schemaEntries(table: SettingTable): Entries {
  const entries = Object.entries(table).map(([name, entry]) => [
    name,
    v.optional(entry.kind === 'group' ? v.strictObject(schemaEntries(entry.fields)) : settingSchema(entry)),
  ])
  return Object.fromEntries(entries)
}

export const optionsChange = v.strictObject(schemaEntries(PROJECT_SETTINGS))
