/** Words of letters alone: whether people say them, or chance or a person's fancy made them a secret. */

import { isOrdinary } from './ordinary.ts'

/** Pairs of letters that words of the languages people log in are made of; of chance, half of the pairs are others. */
const PAIRS =
  `ab ac ad af ag ah ai ak al am an ap ar as at au av aw ay az ba bb be bi bl bo br bs bt bu by ca cc ce ch ci ck cl co cr cs ct cu cy
  da dd de df dg di dl dm dn do dr ds du dv dw dy ea eb ec ed ee ef eg eh ei ej ek el em en eo ep eq er es et eu ev ew ex ey ez fa fe
  ff fi fl fo fr ft fu ga ge gg gh gi gl gn go gr gs gt gu gy ha he hi hl hm hn ho hr ht hu hy ia ib ic id ie if ig ih ij ik il im in
  io ip iq ir is it iu iv ix iz je jo ju ja ka ke ki kl kn ko kr ks kt ku ky la lb lc ld le lf lg li lk ll lm lo lp lr ls lt lu lv ly
  ma mb me mf mi ml mm mn mo mp ms mu my na nb nc nd ne nf ng nh ni nj nk nl nm nn no np nr ns nt nu nv nw ny nz oa ob oc od oe of og
  oh oi oj ok ol om on oo op or os ot ou ov ow ox oy oz pa pe pf ph pi pl po pp pr ps pt pu py qu ra rb rc rd re rf rg rh ri rk rl rm
  rn ro rp rr rs rt ru rv rw ry rz sa sb sc sd se sf sg sh si sk sl sm sn so sp sq sr ss st su sw sy sz ta tb tc td te tf th ti tl tm
  tn to tr ts tt tu tw ty tz ua ub uc ud ue uf ug ui uk ul um un uo up ur us ut uv ux uz va ve vi vo vr vu vy wa we wh wi wk wl wn wo
  wr ws xa xc xe xi xp xt xy ya yc yd ye yi yl ym yn yo yp yr ys yt za ze zi zo zu zw zy zz`.split(/\s+/)
const COMMON = new Uint8Array(26 * 26)
for (const pair of PAIRS) COMMON[(pair.charCodeAt(0) - 97) * 26 + pair.charCodeAt(1) - 97] = 1

const SALAD_CHARS_MIN = 7
const SALAD_CHARS_MAX = 64
const ODD_SHARE = 0.2

/** True for letters that no language strings together: `ttymdyiauduhcz`. */
export function isSalad(text: string): boolean {
  if (text.length < SALAD_CHARS_MIN || text.length > SALAD_CHARS_MAX || !/^[a-z]+$/i.test(text)) return false
  // Humps are words, each with a beginning of its own.
  if (/[a-z][A-Z]/.test(text)) return false
  let odd = 0
  for (let at = 1; at < text.length; at++) {
    const [one, two] = [(text.charCodeAt(at - 1) | 0x20) - 97, (text.charCodeAt(at) | 0x20) - 97]
    if (COMMON[one * 26 + two] === 0) odd++
  }
  return odd >= 2 && odd >= text.length * ODD_SHARE
}

/** Statements about a password that is not told: `is incorrect`, `was changed`. */
const SAID =
  /(?:ed|ing|[ia]ble|ive|ent|ant|ous|al|ic|ty|ct|id|en|er|ly|ory|ary|ete|ess|ain|ain?st|ound|own|ord|ate|ure|safe|fine|okay|here|there|where|wrong|weak|long|short|strong|good|plaintext|similar|simple|complex|needed|stale|fresh|blank|null|text|using|only|just|also|still|already|again|never|always|about|because|since|which|that|this|your|their|being|been|have|than|less|more|must|case|sent|kept|lost|made|left|built|free|mine|yours|none|nothing|unique|private|obsolete|public|empty|day|[ts]ion|ment|ness|ance|ence|ity|ism|ship|age|ual|ible)$|^(?:now|soon|time|then|once|twice|same|again|continue|proceed|login|confirm|access|unlock|register|activate|complete|finish|verify|restore|recover|enter|join|start|begin|view|default)$/i

/** True for a word that stands where a password is told: "the password is X". */
export function isPlainWord(text: string): boolean {
  return /^[A-Za-z][a-z]+(?:-[a-z]+){0,4}$/.test(text) && text.length >= 6 && !SAID.test(text)
}

/** Words behind `password` that make one noun with it. */
const COMPOUND = new Set(
  `policy hash hint field form reset length strength prompt screen entry input value string lookup check rules database account login
  store vault attempt column file flow page link email expiry grant history dialog format tooltip widget modal label button secret
  manager rotation settings security complexity requirements characters criteria storage archive protocol backend service system`.split(
    /\s+/,
  ),
)

/** "Password X does not …": a word that makes no noun with the one before it. */
export function isToldBare(text: string): boolean {
  return text.length >= 8 && isPlainWord(text) && !COMPOUND.has(text) && !isOrdinary(text)
}
