/** `text-loop.ts` in the language of `compile.ts`; `program.ts` is what reads events with it. */
export const TEXT_PROGRAM = `
let End; let IsDirty; let NewCount; let CrumbCount; let HasEscape; let Found; let Last; let Known;
let HasCrumbs; let ContextCount; let TextCount; let ExtraCount; let IsExtraClean;

function kindAt(at) { return i32[AT_kinds + u8[at] * 4]; }

function skipWhite(at) {
  while (at < End && (kindAt(at) & WHITE) != 0) at += 1;
  return at;
}

function skipText(at) {
  HasEscape = 0;
  while (at < End && u8[at] != 0x22) {
    if (u8[at] == 0x5c) { HasEscape = 1; at += 1; }
    at += 1;
  }
  return at + 1;
}

function skipValue(at) {
  let depth = 0;
  while (at < End) {
    let code = u8[at];
    if (code == 0x22) {
      at = skipText(at + 1);
      if (depth == 0) return at;
    } else {
      if (code == 0x7b || code == 0x5b) depth += 1;
      else if (code == 0x7d || code == 0x5d) {
        if (depth == 0) return at;
        depth = depth - 1;
        if (depth == 0) return at + 1;
      } else if (code == 0x2c && depth == 0) return at;
      at += 1;
    }
  }
  return at;
}

function isSame(one, other, length) {
  let at = 0;
  while (at + 4 <= length) {
    if (i32[one + at] != i32[other + at]) return 0;
    at += 4;
  }
  while (at < length) {
    if (u8[one + at] != u8[other + at]) return 0;
    at += 1;
  }
  return 1;
}

function flagsOf(start, stop) {
  Found = 0;
  let length = stop - start;
  if (length == 0 || length > NAME_BYTES_MAX || (kindAt(start) & DIGIT) != 0) return 0;
  let hash = 0;
  let at = start;
  while (at < stop) { hash = hash * 31 + u8[at]; at += 1; }
  let slot = hash & (SLOTS - 1);
  let probes = 0;
  let name = i32[AT_slots + slot * 4];
  while (name != 0 && probes < PROBES_MAX) {
    let place = (name - 1) * 4;
    if (i32[AT_nameLengths + place] == length && isSame(i32[AT_nameStarts + place], start, length) != 0) {
      let known = i32[AT_flags + place];
      Found = name;
      if (known != 0) return known;
      probes = PROBES_MAX;
    }
    slot = (slot + 1) & (SLOTS - 1);
    name = i32[AT_slots + slot * 4];
    probes += 1;
  }
  if (NewCount < NEW_NAMES_MAX) {
    i32[AT_newNames + NewCount * 8] = start;
    i32[AT_newNames + NewCount * 8 + 4] = length;
    NewCount += 1;
  }
  return 0;
}

function nameStart(from, at) {
  let start = at;
  while (start > from && at - start <= NAME_BYTES_MAX && (kindAt(start - 1) & NAMING) != 0) start = start - 1;
  return start;
}

// What is known of a key, and the place behind it: looked for where it stood the last time before it is looked up.
function key(start) {
  let guess = i32[AT_follows + Last * 4];
  if (guess != 0) {
    let place = (guess - 1) * 4;
    let length = i32[AT_nameLengths + place];
    Known = i32[AT_flags + place];
    if (Known != 0 && u8[start + length] == 0x22 && isSame(i32[AT_nameStarts + place], start, length) != 0) {
      Last = guess;
      return start + length + 1;
    }
  }
  let at = skipText(start);
  Known = 0;
  Found = 0;
  if (HasEscape == 0) Known = flagsOf(start, at - 1);
  i32[AT_follows + Last * 4] = Found;
  Last = Found;
  return at;
}

function mayName(start, at, code) {
  if (code == 0x3a && u8[at + 1] == 0x2f && u8[at + 2] == 0x2f) return 0;
  if (start == at || u8[start] == 0x2d) return 1;
  let digit = start;
  while (digit < at && (kindAt(digit) & DIGIT) != 0) digit += 1;
  if (digit == at || isHour(start, at) != 0) return 0;
  let known = flagsOf(start, at);
  if (known == 0) return UNKNOWN;
  return (known & NAME_BEFORE_SIGN) == 0;
}

function isHour(start, at) {
  if (at - start != 13 || u8[start + 10] != 0x54) return 0;
  if (u8[start + 4] != 0x2d || u8[start + 7] != 0x2d) return 0;
  let digits = 0;
  let place = start;
  while (place < at) { digits += (kindAt(place) >> 6) & 1; place += 1; }
  return digits == 10;
}

function hasCardRun(from, to) {
  let at = from; let run = 0; let before = 0;
  while (at < to) {
    let kind = kindAt(at);
    if ((kind & DIGIT) != 0) {
      run += 1;
      if (run == CARD_RUN) return 1;
    } else if ((kind & JOINING) == 0 || ((before & DIGIT) == 0 && u8[at] != 0x20)) run = 0;
    before = kind;
    at += 1;
  }
  return 0;
}

function mayBeCode(from, to) {
  let at = from; let run = 0;
  while (at < to) {
    if ((kindAt(at) & DIGIT) != 0) run += 1;
    else {
      if (run >= 3 && u8[at] == 0x20) return 1;
      run = 0;
    }
    at += 1;
  }
  return 0;
}

function isId(from, to) {
  let length = to - from; let at = from;
  if (length != 16 && length != 32 && length != 36) return 0;
  while (at < to) {
    let code = u8[at];
    if ((kindAt(at) & DIGIT) == 0 && (code < 0x61 || code > 0x66)) {
      let place = at - from;
      if (code != 0x2d || length != 36) return 0;
      if (place != 8 && place != 13 && place != 18 && place != 23) return 0;
    }
    at += 1;
  }
  return 1;
}

function isTokenLike(from, to) {
  let at = from; let run = 0; let kinds = 0; let uppers = 0; let blob = 0; let blobKinds = 0;
  while (at < to) {
    let kind = kindAt(at);
    let word = kind >> 31;
    run = (run + 1) & word;
    kinds = (kinds | kind) & word;
    uppers = (uppers + ((kind >> 7) & 1)) & word;
    if (run >= WORD_RUN && ((kinds & DIGIT) != 0 || uppers >= UPPERS_MIN)) return 1;
    let inBlob = word | ((kind << 20) >> 31);
    blob = (blob + 1) & inBlob;
    blobKinds = (blobKinds | kind) & inBlob;
    if (blob >= BLOB_RUN && (blobKinds & UPPER) != 0 && (blobKinds & DIGIT) != 0) return 1;
    at += 1;
  }
  return 0;
}

function mayHoldSeed(from, to) {
  let start = from;
  while (start + SEED_CHARS_MIN <= to) {
    let at = start + SEED_CHARS_MIN - 1; let letters = SEED_LETTERS_MIN;
    let most = SEED_RUN_MAX; let isBroken = 0;
    while (at >= start && isBroken == 0) {
      let code = u8[at];
      if (code >= 0x61 && code <= 0x7a) {
        letters += 1;
        if (letters > most) isBroken = 1;
      } else {
        if ((code != 0x20 && code != 0x2c) || (letters != 0 && letters < SEED_LETTERS_MIN)) isBroken = 1;
        letters = 0;
        most = SEED_LETTERS_MAX;
      }
      if (isBroken == 0) at = at - 1;
    }
    if (at < start) return 1;
    start = at + 1;
  }
  return 0;
}

function mayHoldIban(from, to) {
  let at = from; let tail = 0;
  while (at < to) {
    let kind = kindAt(at);
    tail = (tail << 2) | ((kind >> 6) & 1) | ((kind >> 7) & 2);
    if ((tail & IBAN_MASK) == IBAN) return 1;
    at += 1;
  }
  return 0;
}

function text(from) {
  let at = from; let state = START; let found = 0; let kindsSeen = 0; let code = u8[at];
  let run = 0; let runs = 0; let blank = 0; let digits = 0;
  let named = from; let bad = 0; let noSelector = 0; let quotes = 0; let quoteAt = 0;
  while (at < End && code != 0x22) {
    let width = 1;
    if (code == 0x5c) {
      HasEscape = 1;
      if (u8[at + 1] != 0x22) { IsDirty |= 1; return skipText(at); }
      code = 0x22;
      width = 2;
    }
    let kind = i32[AT_kinds + code * 4];
    kindsSeen |= kind;
    state = u16[AT_next + (state << 7) + ((kind & 63) << 1)];
    found |= i32[AT_bits + (state << 2)];
    if ((kind & SIGN) != 0) {
      if (code == 0x3d || code == 0x3a) {
        named = nameStart(from, at);
        bad |= mayName(named, at, code);
        if (code == 0x3d && u8[at + 1] != 0x5c) noSelector = 1;
      } else if (code == 0x22) {
        quotes += 1;
        if ((quotes & 1) != 0) {
          if (u8[at - 1] != 0x3d || u8[named - 1] != 0x5b) noSelector = 1;
          quoteAt = at + 2;
        } else if (run == 0 || run != at - quoteAt || u8[at + 2] != 0x5d) noSelector = 1;
      } else if (code == 0x5b) {
        if ((kindAt(at - 1) & NAMING) == 0 && u8[at - 1] != 0x5d) noSelector = 1;
        if ((kindAt(at + 1) & LETTER) == 0) noSelector = 1;
      } else if (code == 0x3e) {
        if (u8[at - 1] == 0x2d) bad |= 1;
      } else if (code == 0x28) {
        let behind = u8[at + 1];
        if (behind == 0x5c || behind == 0x27 || behind == 0x60) bad |= 1;
      } else bad |= 1;
    }
    let word = kind >> 31;
    blank |= run & ((kind << 1) >> 31);
    run = (run + 1) & word;
    runs |= run;
    digits += kind & DIGIT;
    at += width;
    code = u8[at];
  }
  if (at - from >= CHARS_MIN) {
    digits = digits / DIGIT;
    let first = u8[from];
    if (first == 0x7b || first == 0x5b || first <= 0x20) bad |= 1;
    if ((kindsSeen & BEYOND) != 0 || (found & ALWAYS) != 0) bad |= 1;
    if ((kindsSeen & WHITE) != 0 && (found & IN_WORDS) != 0) bad |= 1;
    if (bad == 0 && (kindsSeen & WHITE) != 0 && (found & CODED) != 0) bad = mayBeCode(from, at);
    if (blank != 0 && (found & OF_VALUES) != 0) bad |= 1;
    if ((kindsSeen & (WHITE | BRACE)) != 0 || quotes != 0) {
      if ((found & GIVEN) != 0 && ((found & BESIDE_GIVEN) != 0 || (first | 0x20) == 0x65)) bad |= 1;
    }
    if (quotes == 0) {
      if ((found & QUOTING) != 0) bad |= 1;
    } else if (noSelector != 0 || (quotes & 1) != 0 || (kindsSeen & NO_SELECTOR) != 0) bad |= 1;
    if (digits >= NATIONAL_DIGITS && (found & NATIONAL) != 0) bad |= 1;
    if (bad == 0 && digits >= DIGITS_MIN) bad = mayHoldIban(from, at);
    if (bad == 0 && runs >= LONG_RUN && (found & ISSUED) != 0) bad = 1;
    if (bad == 0 && digits >= CARD_RUN) bad = hasCardRun(from, at);
    if (bad == 0) bad = mayHoldSeed(from, at);
    if (bad == 0 && runs >= LONG_RUN && isId(from, at) == 0) bad = isTokenLike(from, at);
    IsDirty |= bad;
  }
  return at + 1;
}

function scalar(from) {
  let at = from; let count = 0; let isWhole = 1; let code = u8[at];
  while (at < End && code != 0x2c && code != 0x7d && code != 0x5d && (kindAt(at) & WHITE) == 0) {
    if ((code | 0x20) == 0x65 && (kindAt(from) & LETTER) == 0) IsDirty |= 1;
    if (code == 0x2e) isWhole = 0;
    count += isWhole;
    at += 1;
    code = u8[at];
  }
  if (count >= CARD_RUN) IsDirty |= 1;
  return at;
}
`
