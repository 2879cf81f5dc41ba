/** Numbers that a state gives a person, beside what they are called: `CPF 529.982.247-25`, `nino: "AB123456C"`. */
import { FILTERED } from './filtered.ts'

const NAMES = String.raw`ssn|social (?:security|insurance) (?:number|no\.?)|s\.?s\.?n\.?|cpf|cnpj|rg|national insurance(?: (?:number|no\.?))?|nino|bsn|burgerservicenummer|sofinummer|pesel|nip|dni|nie|nif|cif|aadhaa?r(?: (?:number|card))?|sin|tfn|tax file number|tin|itin|ein|steuer-?(?:id(?:entifikationsnummer)?|nummer)|idnr|codice fiscale|personnummer|cpr(?:[- ]?nummer)?|f[øo]dselsnummer|hen(?:kil[öo])?tunnus|hetu|insee|nir|num[ée]ro de s[ée]curit[ée] sociale|s[ée]curit[ée] sociale|rut|run|curp|rfc|rodn[ée] [čc][íi]slo|[ée]gn|emso|oib|jmbg|cnp|amka|afm|teudat zehut|nric|fin|hkid|my ?number|resident registration(?: number)?|passport(?: (?:number|no\.?))?|reisepass(?:nummer)?|personalausweis(?:nummer)?|driver'?s? licen[cs]e(?: (?:number|no\.?))?|f[üu]hrerschein(?:nummer)?|national id(?:entity)?(?: (?:number|no\.?))?|identity (?:card|number)|tax(?:payer)? id(?: number)?|nhs(?: number)?|medicare(?: number)?|ahv(?:[- ]?nummer)?|avs|(?:sozial|renten)versicherungsnummer|rijksregisternummer|rodn[ée]ho [čc][íi]sla|isikukood|asmens kodas|ppsn?|mykad|cnic|nik|tc kimlik(?: no)?|tckn|kennitala|emirates id|iqama`
const BESIDE = new RegExp(
  String.raw`(?<![\w-])((?:${NAMES})(?:[\s:=#"']|\b(?:is|was|number|nummer|num[ée]ro|no\.?|nr\.?|n[°º.])\b){1,6}["']?)([A-Z]{0,5}\d[A-Z\d]{0,20}(?:[ .\/-][A-Z\d]{1,14}){0,5}|[A-Z]{2} \d{2} ?\d{2} ?\d{2} ?[A-D]|[A-Z]{3,6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z])(?![\w-])`,
  'gi',
)
/** Words of scripts that blanks do not part, or whose letters are not Latin. */
const FOREIGN =
  /((?:身份证(?:号码?)?|身分證(?:字號)?|居民身份证|マイナンバー|個人番号|주민등록번호|주민번호|снилс|инн|рнокпп|паспорт(?:а|у|ом)?|ת\.?ז\.?|תעודת זהות|เลขประจำตัวประชาชน|आधार(?: संख्या)?|αφμ|αμκα|егн)[\s:：=#№"'は]{0,6})([A-Z]{0,3}\d[A-Z\d]{0,20}(?:[ ./-][A-Z\d]{1,14}){0,5})(?![\w-])/gi
const DIGITS_MAX = 18

/** True for what such a number may be: eight digits, or six and letters. */
export function isNational(value: string): boolean {
  if (value.length > 24 || !/^[A-Z\d][A-Z\d ./-]{4,23}$/i.test(value) || /[a-z]{2}/.test(value)) return false
  const digits = value.replace(/\D/g, '').length
  if (digits > DIGITS_MAX || /^\d{1,5}\.\d+$|^\d{4}-\d\d-\d\d/.test(value)) return false
  return digits >= 8 || (digits >= 6 && /[A-Z]/i.test(value))
}

type OnFound = (rule: string, value: string) => void

export function scrubNational(text: string, onFound: OnFound): string {
  return text.replace(BESIDE, takenBy(onFound))
}

/** The same, of names in scripts other than Latin. */
export function scrubForeignNational(text: string, onFound: OnFound): string {
  return /\d[\d .-]{5}/.test(text) ? text.replace(FOREIGN, takenBy(onFound)) : text
}

function takenBy(onFound: OnFound): (whole: string, before: string, value: string) => string {
  return (whole, before, value) => {
    const plain = value.replace(/(?: [a-z]{1,14})+$/i, '')
    // `sin 0.5`, `fin 12`: numbers of other things.
    if (!isNational(plain) || (/^run\b/i.test(before) && !plain.includes('-'))) return whole
    onFound('personal', plain)
    return before + FILTERED + value.slice(plain.length)
  }
}
