/** Part of grouping version 1. Ids that no person wrote. */
import { isIdentifier, isRandomPart, isShortIdentifier } from '../random-names.ts'
import { row, type TextRule } from './text-rule.ts'
import { DIGIT_TRAIT, EQUALS, RUN_7, RUN_32, UNDERSCORE, WORD_16 } from './text-traits.ts'

export const ID_RULES: readonly TextRule[] = [
  row(
    EQUALS | WORD_16,
    'bytes as text',
    /(?<![\w+/])[A-Za-z0-9+/]{22,1000}={1,2}(?![\w=])/g,
    '<base64>',
    'bad key MTIzNDU2Nzg5MDEyMzQ1Njc4OQ==',
    'bad key <base64>',
    'RFC 4648',
  ),
  row(
    UNDERSCORE,
    'id behind its kind',
    /(?<![A-Za-z0-9_])([a-z]{2,10}(?:_[a-z]{2,10})?)_([A-Za-z0-9]{8,64})(?!\w)/g,
    withoutIdentifier,
    'no such customer: cus_NffrFeUfNV2Hib',
    'no such customer: cus_<id>',
    'Stripe API, object ids; TypeID',
  ),
  row(
    WORD_16,
    'id',
    /(?<![\w-])[A-Za-z0-9_-]{16,128}(?![\w-])/g,
    (match) => (isIdentifier(match) ? '<id>' : match),
    'cart kXyPqRsTuVwXyZaBcDe_f missing',
    'cart <id> missing',
    'nanoid, ULID, KSUID, cuid',
  ),
  row(
    DIGIT_TRAIT | RUN_32,
    'id behind letters of its kind',
    /(?<!\w)([A-Z]{2})[0-9a-f]{32}(?!\w)/g,
    '$1<id>',
    'message SM0123456789abcdef0123456789abcdef lost',
    'message SM<id> lost',
    'Twilio, string identifiers',
  ),
  row(
    DIGIT_TRAIT,
    'short id',
    /(?<![\w./-])(?=[A-Za-z0-9_-]{0,15}\d)[A-Za-z0-9][A-Za-z0-9_-]{7,15}(?![\w/-]|\.\w)/g,
    (match) => (isShortIdentifier(match) ? '<id>' : match),
    'video dQw4w9WgXcQ missing',
    'video <id> missing',
    'nanoid, Sqids, Hashids; ids of YouTube, Slack',
  ),
  row(
    DIGIT_TRAIT | RUN_7,
    'hex',
    /(?<!\w)(?:[0-9a-f]{8,128}|[0-9A-F]{8,128})(?!\w)/g,
    (match) => (/\d/.test(match) ? '<hex>' : match),
    'number 123456789',
    'number <hex>',
    'MongoDB ObjectId and kin',
  ),
  row(
    DIGIT_TRAIT | RUN_7,
    'commit',
    /(?<!\w)[0-9a-f]{7}(?!\w)/g,
    (match) => (/\d/.test(match) && /[a-f]/.test(match) ? '<git_sha>' : match),
    'commit 1a2b3c4 missing',
    'commit <git_sha> missing',
    'git, abbreviated ids',
  ),
]

function withoutIdentifier(match: string): string {
  const cut = match.lastIndexOf('_')
  return isRandomPart(match.slice(cut + 1)) ? `${match.slice(0, cut)}_<id>` : match
}
