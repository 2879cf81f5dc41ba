/** Part of grouping version 1. Dates and times, as languages and people write them. */
import { row, type TextRule } from './text-rule.ts'
import { COLON, DAY_NAME_TRAIT, DIGIT_TRAIT, DOT, MONEY, MONTH, RUN_7, YEAR } from './text-traits.ts'

const DAY_NAME = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:day|sday|nesday|rsday|urday)?'
const MONTH_NAME =
  '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?'
const CLOCK = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[AaPp]\\.?[Mm]\\b\\.?)?'
const ZONE =
  '(?: ?(?:Z|UTC|GMT|[A-Z]{3,4}(?![A-Za-z])|(?:UTC|GMT)?[+-]\\d{2}:?\\d{2})){0,2}(?: \\([A-Za-z ]{1,48}\\))?'

/** Months of German, Dutch, French, Italian, Spanish, Portuguese, Polish and Russian, whole and short. */
const FOREIGN_MONTH = `(?:${[
  'januar[iy]?|jänner|februar[iy]?|feber|märz|mrz|maart|mrt|april|mai|mei|jun[iy]|jul[iy]|august(?:us)?|aug|septembe?r|oktober|okt|november|nov|dezember|dez|december|jan|feb|apr|jun|jul',
  'janvier|janv|février|févr|fév|mars|avril|avr|juin|juillet|juil|août|octobre|novembre|décembre|déc|septembre',
  'gennaio|febbraio|febb|marzo|aprile|maggio|giugno|giu|luglio|agosto|settembre|ottobre|ott|dicembre|dic',
  'enero|ene|febrero|abril|abr|mayo|junio|julio|septiembre|setiembre|octubre|noviembre|diciembre',
  'janeiro|fevereiro|fev|março|maio|junho|julho|setembro|outubro|novembro|dezembro',
  'stycznia|sty|lutego|marca|kwietnia|kwi|maja|czerwca|cze|lipca|sierpnia|września|wrz|października|paź|listopada|grudnia|gru',
  'января|янв|февраля|февр?|марта|мар|апреля|апр|мая|июня|июн|июля|июл|августа|авг|сентября|сент?|октября|окт|ноября|нояб?|декабря|дек',
].join('|')})`
/** Short months that are words or names of something else as well: `10 out 2048` is a date in Portuguese and a count in English. */
const MONTH_OR_WORD = '(?:sept?|dec|oct|gen|mar|mag|lug|ago|sett?|may|out|lut|lip|sie|lis)'
const FOREIGN_DAY = `(?:${[
  'montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag',
  'maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag',
  'lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica',
  'lunes|martes|miércoles|jueves|viernes|sábado|domingo|(?:segunda|terça|quarta|quinta|sexta)-feira',
  'poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela',
  'понедельник|вторник|среда|четверг|пятница|суббота|воскресенье',
].join('|')})`

/** With `do 3` alone an English sentence would go on. */
const SHORT_DAY = '(?:mo|di|mi|do|fr|sa|so)'
const DAY_BEFORE = `(?:${FOREIGN_DAY}\\.?,?|${SHORT_DAY}(?:\\.,?|,)) `
const DAY_BEFORE_COMMA = `(?:${FOREIGN_DAY}|${SHORT_DAY})\\.?, `
const DAY_OF_MONTH = '\\d{1,2}(?:\\.|er|º|°)? '
const FOREIGN_DAY_AND_MONTH = `(?:(?:${DAY_BEFORE})?${DAY_OF_MONTH}(?:(?:de )?${FOREIGN_MONTH}\\.?|de ${MONTH_OR_WORD}\\.?|${MONTH_OR_WORD}\\.)|${DAY_BEFORE_COMMA}${DAY_OF_MONTH}${MONTH_OR_WORD})`

type Told = readonly [pattern: string, example: string, source: string]

const dateRow =
  (flags: 'g' | 'gi') =>
  (needs: number, what: string, ...[pattern, example, source]: Told) =>
    row(
      needs,
      what,
      new RegExp(`(?<![\\w.:/-])${pattern}(?![\\w])`, flags),
      '<date>',
      example,
      '<date>',
      source,
    )

const date = dateRow('g')
/** A date whose names begin with a capital or not, by language. */
const foreignDate = dateRow('gi')

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
  foreignDate(
    DIGIT_TRAIT | YEAR,
    'date in words of other languages',
    `${FOREIGN_DAY_AND_MONTH},? (?:de )?(?:19|20)\\d{2}(?: г\\.)?(?:,?(?: (?:um|à|a las|às|alle|om|o|в))? ${CLOCK}(?: (?:Uhr|UTC|GMT|CES?T|MES?Z))?)?`,
    '21 de noviembre de 2026',
    'Unicode CLDR, de, nl, fr, it, es, pt, pl, ru',
  ),
  date(
    DIGIT_TRAIT | MONEY,
    'date of Chinese, Japanese and Korean',
    '\\d{4} ?[年년] ?\\d{1,2} ?[月월] ?\\d{1,2} ?[日일](?: ?[(（][月火水木金土日一二三四五六월화수목금토일][)）])?(?: ?\\d{1,2}(?:[時时시] ?\\d{1,2} ?[分분](?: ?\\d{1,2} ?[秒초])?|:\\d{2}(?::\\d{2})?))?',
    '2026年11月21日',
    'Unicode CLDR, ja, zh, ko',
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
