/** Part of grouping version 1. Dates and times, as languages and people write them. */
import { row, type TextRule } from './text-rule.ts'
import { COLON, DAY_NAME_TRAIT, DIGIT_TRAIT, DOT, MONTH, RUN_7 } from './text-traits.ts'

const DAY_NAME = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:day|sday|nesday|rsday|urday)?'
const MONTH_NAME =
  '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?'
const CLOCK = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[AaPp]\\.?[Mm]\\b\\.?)?'
const ZONE =
  '(?: ?(?:Z|UTC|GMT|[A-Z]{3,4}(?![A-Za-z])|(?:UTC|GMT)?[+-]\\d{2}:?\\d{2})){0,2}(?: \\([A-Za-z ]{1,48}\\))?'

const date = (
  needs: number,
  what: string,
  ...[pattern, example, source]: readonly [string, string, string]
) =>
  row(needs, what, new RegExp(`(?<![\\w.:/-])${pattern}(?![\\w])`, 'g'), '<date>', example, '<date>', source)

export const DATE_RULES: readonly TextRule[] = [
  date(
    DOT,
    'time as Python writes it',
    'datetime\\.(?:datetime|date|time)\\([\\d, ]{1,64}(?:, ?tzinfo=[\\w.()]{1,48})?\\)',
    'datetime.datetime(2026, 11, 21, 5, 26)',
    'Python, datetime.__repr__',
  ),
  date(
    DIGIT_TRAIT,
    'time by ISO 8601 and kin',
    `\\d{4}[-/.]\\d{2}[-/.]\\d{2}(?:[T ]${CLOCK}${ZONE})?`,
    '2026-11-21T05:26:17.123Z',
    'ISO 8601, RFC 3339',
  ),
  date(DIGIT_TRAIT, 'week', '\\d{4}-?W\\d{2}(?:-\\d)?', '2026-W48', 'ISO 8601, week dates'),
  date(
    DIGIT_TRAIT | RUN_7,
    'time by ISO 8601, compact',
    '\\d{8}T\\d{4,6}(?:\\.\\d{1,9})?Z?',
    '20261121T052617Z',
    'ISO 8601, basic format',
  ),
  date(
    DIGIT_TRAIT | DAY_NAME_TRAIT,
    'time as JavaScript writes it',
    `${DAY_NAME},? ${MONTH_NAME} {1,2}\\d{1,2}(?: \\d{4})?(?:,? ${CLOCK})?${ZONE}(?: \\d{4})?`,
    'Sat Nov 21 2026 05:26:17 GMT+0100 (CET)',
    'ECMAScript, Date.prototype.toString',
  ),
  date(
    DIGIT_TRAIT | MONTH,
    'time by RFC 5322 and kin',
    `(?:${DAY_NAME},? )?\\d{1,2}[ -]${MONTH_NAME}[ -]\\d{2,4}(?:,? ${CLOCK}${ZONE})?`,
    'Sat, 21 Nov 2026 05:26:17 GMT',
    'RFC 5322, RFC 850',
  ),
  date(
    DIGIT_TRAIT | MONTH,
    'date in words',
    `${MONTH_NAME}\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}(?:,?(?: at)? ${CLOCK}${ZONE})?`,
    'Nov 21, 2026',
    'Unicode CLDR, en',
  ),
  date(
    DIGIT_TRAIT | MONTH,
    'time of web servers',
    `\\d{1,2}/${MONTH_NAME}/\\d{4}(?::\\d{2}){3}(?: [+-]\\d{4})?`,
    '21/Nov/2026:05:26:17 +0000',
    'Apache, Common Log Format',
  ),
  date(
    DIGIT_TRAIT,
    'date in numbers',
    `\\d{1,2}([/.])\\d{1,2}\\1\\d{4}(?:,? ${CLOCK}${ZONE})?`,
    '21.11.2026',
    'Unicode CLDR',
  ),
  date(
    DIGIT_TRAIT | COLON,
    'time of day',
    `\\d{1,2}:\\d{2}:\\d{2}(?:[.,]\\d{1,9})?(?: ?[AaPp][Mm])?${ZONE}`,
    '05:26:17',
    'ISO 8601; Unicode CLDR',
  ),
  date(DIGIT_TRAIT | COLON, 'time of day', '\\d{1,2}:\\d{2} ?[AaPp][Mm]', '3:04PM', 'ISO 8601; Unicode CLDR'),
  // Small and apart it is a German "am" or an English verb: `Zeile 7 am Ende`, `worker 12 am stopping`.
  date(DIGIT_TRAIT, 'hour of day', '(?:1[0-2]|0?[1-9])(?:[ap]m| ?[AP]M)', '3pm', 'Unicode CLDR, en'),
]
