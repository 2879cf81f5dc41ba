/**
 * `loop.ts` in the language of `compile.ts`, function by function; there stands what each is for. Only `key` is none of it: a
 * shortcut, which finds what would be looked up.
 */
import * as layout from './layout.ts'
import { DEPTH_MAX } from './loop.ts'
import * as rules from './rules.ts'
import {
  IBAN,
  IBAN_MASK,
  PROBES_MAX,
  SEED_LETTERS_MAX,
  SEED_LETTERS_MIN,
  SEED_RUN_MAX,
  UNKNOWN,
  UPPERS_MIN,
} from './text-loop.ts'
import { TEXT_PROGRAM } from './text-program.ts'

const { AT, ...sizes } = layout

/** Every number that the program knows by its name: `AT_kinds` is where that region begins. */
export const CONSTANTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Object.entries(AT).map(([region, at]) => [`AT_${region}`, at])),
  ...numbersOf(sizes),
  ...numbersOf(rules),
  ...{ DEPTH_MAX, IBAN, IBAN_MASK, PROBES_MAX, UNKNOWN, UPPERS_MIN },
  ...{ SEED_LETTERS_MAX, SEED_LETTERS_MIN, SEED_RUN_MAX },
}

function numbersOf(module: Readonly<Record<string, unknown>>): Record<string, number> {
  const entries = Object.entries(module)
  return Object.fromEntries(
    entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  )
}

export const PROGRAM = `${TEXT_PROGRAM}
function value(at, level) {
  let code = u8[at];
  if (code == 0x22) return text(at + 1);
  if (code != 0x7b && code != 0x5b) return scalar(at);
  if (level >= DEPTH_MAX || (IsDirty & 1) != 0) { IsDirty |= 1; return skipValue(at); }
  if (code == 0x7b) return bag(at + 1, level + 1, 0);
  return list(at + 1, level + 1);
}

function behindColon(from) { return skipWhite(skipWhite(from) + 1); }

function behindComma(from) {
  let at = skipWhite(from);
  if (u8[at] == 0x2c) return skipWhite(at + 1);
  return at;
}

function list(from, level) {
  let at = skipWhite(from); let count = 0;
  while (at < End && u8[at] != 0x5d) {
    count += 1;
    if (count > 1) IsDirty |= 1;
    if ((IsDirty & 1) != 0) at = skipValue(at); else at = value(at, level);
    at = behindComma(at);
  }
  return at + 1;
}

function bag(from, level, roles) {
  let at = skipWhite(from); let seen = roles;
  while (at < End && u8[at] != 0x7d) {
    at = key(at + 1);
    let known = Known;
    if (known == 0) IsDirty |= UNKNOWN;
    else if ((known & NAME_OF_KEY) == 0) IsDirty |= 1;
    if ((known & NAME_OF_ARGUMENTS) != 0 && level != 1) IsDirty |= 1;
    seen |= known;
    at = behindColon(at);
    if ((IsDirty & 1) != 0) at = skipValue(at); else at = value(at, level);
    at = behindComma(at);
  }
  if ((seen & NAME_ENTRY) != 0 && (seen & VALUE_ENTRY) != 0) IsDirty |= 1;
  if ((seen & NAME_OF_ARGUMENTS) != 0 && (seen & NAME_OF_STATEMENT) != 0) IsDirty |= 1;
  return at + 1;
}

function crumb(from) {
  let at = skipWhite(from);
  IsDirty = 0;
  Last = 0;
  while (at < End && u8[at] != 0x7d) {
    at = key(at + 1);
    let known = Known;
    if (known == 0) IsDirty |= UNKNOWN;
    else if ((known & NAME_OF_FIELD) == 0) IsDirty |= 1;
    at = behindColon(at);
    if ((IsDirty & 1) != 0 || (known & NAME_OF_TIME) != 0) at = skipValue(at); else at = value(at, 0);
    at = behindComma(at);
  }
  return at + 1;
}

function crumbs(from) {
  let at = skipWhite(from);
  while (at < End && u8[at] != 0x5d) {
    if (u8[at] != 0x7b || CrumbCount >= CRUMBS_MAX) return -1;
    at = crumb(at + 1);
    u8[AT_verdicts + CrumbCount] = IsDirty == 0;
    CrumbCount += 1;
    at = behindComma(at);
  }
  return at + 1;
}

function isWord(start, stop, word, length) {
  if (stop - start != length) return 0;
  return isSame(start, word, length);
}

function crumbsOf(from) {
  if (u8[from] == 0x5b) return crumbs(from + 1);
  if (u8[from] != 0x7b) return -1;
  let at = skipWhite(from + 1); let seen = 0;
  while (at < End && u8[at] != 0x7d) {
    let start = at + 1;
    at = skipText(start);
    if (HasEscape != 0) return -1;
    let isValues = isWord(start, at - 1, VALUES_AT, 6);
    at = behindColon(at);
    if (isValues != 0) {
      if (seen != 0 || u8[at] != 0x5b) return -1;
      seen = 1;
      at = crumbs(at + 1);
      if (at < 0) return -1;
    } else at = skipValue(at);
    at = behindComma(at);
  }
  if (seen == 0) return -1;
  return at + 1;
}

function contextsOf(from) {
  if (ContextCount != 0 || u8[from] != 0x7b) { ContextCount = -1; return skipValue(from); }
  let at = skipWhite(from + 1);
  while (at < End && u8[at] != 0x7d) {
    let start = at + 1;
    IsDirty = 0;
    Last = 0;
    at = skipText(start);
    if (HasEscape != 0 || (kindAt(start) & DIGIT) != 0 || ContextCount >= CONTEXTS_MAX) ContextCount = -1;
    let known = 0;
    if (HasEscape == 0) known = flagsOf(start, at - 1);
    Last = Found;
    if (known == 0) { IsDirty |= UNKNOWN; Last = 0; }
    else if ((known & NAME_OF_KEY) == 0) IsDirty |= 1;
    at = behindColon(at);
    if (ContextCount < 0 || u8[at] != 0x7b) { IsDirty |= 1; at = skipValue(at); }
    else at = bag(at + 1, 2, NAME_ENTRY);
    if (ContextCount >= 0) {
      u8[AT_contexts + ContextCount] = IsDirty == 0;
      ContextCount += 1;
    }
    at = behindComma(at);
  }
  return at + 1;
}

function extraOf(from) {
  ExtraCount += 1;
  if (u8[from] != 0x7b) return skipValue(from);
  IsDirty = 0;
  Last = 0;
  let at = bag(from + 1, 2, 0);
  IsExtraClean = IsDirty == 0;
  return at;
}

function textOf(from) {
  if (u8[from] != 0x22) return skipValue(from);
  IsDirty = 0;
  HasEscape = 0;
  let at = text(from + 1);
  let length = at - from - 2;
  if (IsDirty != 0 || HasEscape != 0 || length < TEXT_BYTES_MIN) return at;
  if (TextCount >= TEXTS_MAX) return at;
  i32[AT_texts + TextCount * 8] = from + 1;
  i32[AT_texts + TextCount * 8 + 4] = length;
  TextCount += 1;
  return at;
}

function textsOf(from, word, length) {
  if (u8[from] != 0x7b) return skipValue(from);
  let at = skipWhite(from + 1);
  while (at < End && u8[at] != 0x7d) {
    let start = at + 1;
    at = skipText(start);
    let isWanted = 1;
    if (word != 0) isWanted = isWord(start, at - 1, word, length);
    at = behindColon(at);
    if (isWanted != 0) at = textOf(at); else at = skipValue(at);
    at = behindComma(at);
  }
  return at + 1;
}

function exceptionsOf(from) {
  let at = skipWhite(from + 1);
  if (u8[from] == 0x5b) {
    while (at < End && u8[at] != 0x5d) at = behindComma(textsOf(at, VALUE_AT, 5));
    return at + 1;
  }
  if (u8[from] != 0x7b) return skipValue(from);
  while (at < End && u8[at] != 0x7d) {
    let start = at + 1;
    at = skipText(start);
    let isValues = isWord(start, at - 1, VALUES_AT, 6);
    at = behindColon(at);
    if (isValues != 0 && u8[at] == 0x5b) at = exceptionsOf(at); else at = skipValue(at);
    at = behindComma(at);
  }
  return at + 1;
}

function requestOf(from) {
  if (u8[from] != 0x7b) return skipValue(from);
  let at = skipWhite(from + 1);
  while (at < End && u8[at] != 0x7d) {
    let start = at + 1;
    at = skipText(start);
    let isUrl = isWord(start, at - 1, URL_AT, 3);
    let isHeaders = isWord(start, at - 1, HEADERS_AT, 7);
    at = behindColon(at);
    if (isUrl != 0) at = textOf(at);
    else if (isHeaders != 0) at = textsOf(at, 0, 0);
    else at = skipValue(at);
    at = behindComma(at);
  }
  return at + 1;
}

function field(start, stop, from) {
  if (isWord(start, stop, CRUMBS_AT, 11) != 0) {
    if (HasCrumbs != 0) return -1;
    HasCrumbs = 1;
    return crumbsOf(from);
  }
  if (isWord(start, stop, CONTEXTS_AT, 8) != 0) return contextsOf(from);
  if (isWord(start, stop, EXCEPTION_AT, 9) != 0) return exceptionsOf(from);
  if (isWord(start, stop, REQUEST_AT, 7) != 0) return requestOf(from);
  if (isWord(start, stop, EXTRA_AT, 5) != 0) return extraOf(from);
  if (isWord(start, stop, MESSAGE_AT, 7) != 0) return textOf(from);
  return skipValue(from);
}

function scan(length) {
  End = AT_input + length;
  NewCount = 0;
  CrumbCount = 0;
  HasCrumbs = 0;
  ContextCount = 0;
  TextCount = 0;
  ExtraCount = 0;
  IsExtraClean = 0;
  let at = skipWhite(AT_input);
  i32[AT_told] = 0;
  if (u8[at] != 0x7b) return 0;
  at = skipWhite(at + 1);
  while (at < End && u8[at] != 0x7d) {
    let start = at + 1;
    at = skipText(start);
    if (HasEscape != 0) return 0;
    at = field(start, at - 1, behindColon(at));
    if (at < 0) return 0;
    at = behindComma(at);
  }
  i32[AT_told] = NewCount;
  i32[AT_told + 4] = CrumbCount;
  i32[AT_told + 8] = ContextCount;
  i32[AT_told + 12] = TextCount;
  if (ExtraCount == 1) i32[AT_told + 16] = IsExtraClean; else i32[AT_told + 16] = 0;
  return 1;
}
`
