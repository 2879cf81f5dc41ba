/** Nouns for secrets in the languages people log in: patterns, each without a group of its own. */

const PASSWORDS = [
  'pass(?:word|wd| ?phrase|wort|ord)(?:et|en)?',
  '(?:einmal|master|start|initial|admin|root|standard|benutzer|nutzer|datenbank|wlan|system|konto|app|router|login|anmelde)-?(?:passw|kennw)ort',
  'kennwort|zugangsschl[üu]ssel',
  'contrase(?:[ñn]a(?: de un solo uso)?|nya)|clave(?: de acceso)?(?! secreta| api| privada| de (?:la )?api)|palabra clave',
  'chave de acesso',
  'senha(?: de uso [úu]nico)?|palavra[- ]passe',
  'mot de passe(?: [àa] usage unique)?|mdp',
  'wachtwoord',
  'has[łl]o',
  'heslo',
  'l[öo]senord(?:et)?|kodeord(?:et)?|adgangskoden?',
  'salasana(?:si|nne|ksi)?',
  'jelsz(?:ó|o|av)[a-z]{0,4}',
  "parola d'ordine|parol(?:a(?:n[ıi]z|s[ıi])?|ă)(?: ta)?",
  '[şs]ifre(?:niz|si|n)?',
  'm[ậa]t kh[ẩa]u',
  'kata (?:sandi|laluan)',
  'lozink[aeu]|geslo|slapta[zž]od[a-z]{1,4}|pasahitza|parool|parole(?:i|s)?|fjal[eë]kalim[a-z]{0,4}',
  '(?:pass|pw)(?= \\S{0,40}\\d)|pw(?= ["\']\\S| (?:for|für|fürs|pour|de|of) )|(?<=[a-z][_-])pw(?= )|psk(?= \\S{0,40}\\d| ["\'])',
  'pwd|passwd|requirepass|masterauth|bindpw',
  'identified (?:with \\w{1,40} )?(?:by|as)(?: password)?',
]

const TOKENS = [
  "zugriffstoken|toegangstoken|tokens? d(?:e |i |')acc?[eè]s[a-z]{0,3}|jeton d'acc[eè]s|sitzung|geheimnis|cl[eé] (?:secr[eè]te|priv[eé]e)|chiave (?:segreta|api|privata)|clave secreta|chave secreta|klucz (?:api|prywatny)|(?:invite|invitation) code|api ?키",
  '(?:(?:access|refresh|auth|api|bearer|session|reset|id|csrf|jwt|bot|login|device|invite|invitation) )?tokens?',
  '(?:csrf|xsrf)(?= [\\w-]{16})|jeton|ficha|żeton',
  "api[ _-]?(?:keys?|schl[üu]ssel)|cl[eé] (?:d['’])?api|clave (?:de (?:la )?)?api|chave (?:d[ea] )?api|chiave (?:dell['’])?api",
  '(?:access|secret|admin|root|account|storage|deploy|ingest|unseal|consumer|app|application|integration|user|routing|server|tenant|agent|subscriber|publisher|merchant|developer|client|partner|license|licence|private|signing|encryption|webhook|service|master|shared|client|product|activation|wifi|wi-fi|wlan|wpa2?|network|wallet|preshared|pre-shared|licensing)[ -](?:keys?|psk)|(?:access|secret)keys?',
  '(?<=\\b(?:de|en)crypt\\w{0,4} \\w{0,12} ?(?:with|using|by) (?:the )?)key',
  '(?<=\\b(?:authenticat|sign|log|connect)\\w{0,4}(?: in)? (?:using|with|by) (?:the )?)key',
  '(?<=(?<!row|cache|sort|hash|range|primary|partition|foreign|public|object|routing|group|item|message|lookup|route|translation)_)key|(?:app|client|api|corp)?secrets?|session(?: id)?|cookie|signature|hmac|credentials?|ssws|geniekey|negotiate|ntlm|jwt|bearer|authtoken',
]

const CODES = [
  'pass ?(?:codes?|keys?)|(?:otp|totp|hotp|2fa|mfa) codes?|(?:anmelde|zugangs|tan-?)codes?|eng[åa]ngskode?n?|kertak[äa]ytt[öo]koodi|kodunuz',
  '(?<=^|[.!?] |\\n)(?:code|c[óo]digo|codice|kod|k[óo]d)(?=: ?\\d{6}(?!\\d))',
  '(?:verification|security|login|one[- ]time|sms|auth|authentication|confirmation|2fa|mfa|otp|reset|backup|recovery|access|activation|pairing|sign[- ]in|best[äa]tigungs|verifizierungs|sicherheits|einmal|verificatie|inlog|bevestigings|verifikations|verifierings|eng[åa]ngs|bekr[äæa]ft?elses|vahvistus|kertak[äa]ytt[öo])[ -]?(?:codes?|pin|passcode|kod|koden|kode|koodi|koodisi)',
  '(?:your|dein|ihr|je|uw|votre|ton|tu|su|seu|il tuo|din|ditt|tw[óo]j|v[áa][šs]) (?:[a-zà-žə-]{2,16} )?(?:code|kod|kode|k[óo]d|c[óo]digo|codice)(?: (?:de|di|do) [a-zà-ž]{2,20}| weryfikacyjny)?',
  'otp|totp|(?<!\\b(?:pinterest|gpio|bowling|rolling|lapel|map) )pin(?: code)?|[mi]?tan',
  "c[óo]digo(?: de [a-zçãóé]{2,20})?|code d(?:e |['’])[a-zéè]{2,20}|code secret|codice(?: (?:di|otp|pin)(?: [a-z]{1,20}(?= ))?)?",
  'kod (?:weryfikacyjny|potwierdzający|dostępu|jednorazowy)|do[ğg]rulama kodu(?:nuz)?|onay kodu(?:nuz)?|cod(?:ul)? de verificare|ov[ěe][řr]ovac[íi] k[óo]d|kode verifikasi|m[ãa] (?:x[áa]c (?:minh|nh[ậa]n|th[ựu]c)|otp)|ellen[őo]rz[őo] k[óo]d',
]

const NUMBERS =
  'ssn|social security (?:number|no\\.?)|cvc2?|cvv2?|card verification (?:code|number|value)|date of birth|dob|geburtsdatum|passport(?: (?:number|no\\.?))?'

const joinWords = (parts: readonly string[]): string => parts.join('|')

/** Groups: a password, a token, a one-time code, a number of a person; `_` before it is the rest of a name. */
export const SECRET_NOUN = new RegExp(
  `(?<![a-z0-9ßáéíóúñçãõ])(?:(${joinWords(PASSWORDS)})|(${joinWords(TOKENS)})|(${joinWords(CODES)})|(${NUMBERS}))(?![a-z0-9])`,
  'gi',
)

/** "123456 is your code": of fewer digits nothing is a code. */
export const MAYBE_CODE = /\d{3}["'`”]? (?:is|ist|es|est|è|é|er|är|jest|to|as|als|com)/i

/** Words between the noun and what it names. */
export const LINKING =
  /^(?:is|was|are|now|set|to|from|be|been|wurde|geändert|auf|cambiada|changé|modifié|alterada|changed|updated|reset|equals|value|with|as|ist|lautet|war|es|era|é|è|est|foi|jest|to|är|er|on|je|este|là|adalah|это|id|for|of|von|van|av|af|od|de|di|do|del|della|dello|dell'utente|utente|dla|för|usuario|usuário|utilisateur|benutzer|gebruiker|użytkownika|l'utilisateur|has|user|the|new|your|su|tu|seu|sua|din|ditt|ta|bạn|của|anda|für|pour|para|provided|expected|received|got|given|found|computed|using|=|:|->|=>|→|-|–|—|-{2,16}|={2,8}|\||»|›|▶|!!str)$/i
export const IS =
  /^(?:is|was|are|be|to|auf|from|equals|ist|lautet|war|es|era|é|est|è|foi|jest|är|er|on|je|este|là|adalah|это|expected|received|got|provided|=|:|->|=>|→|-|–|—|-{2,16}|={2,8}|\||as)$/i
export const STATUS =
  /^(?:correct|incorrect|wrong|valid|invalid|required|missing|empty|blank|expired|revoked|unknown|undefined|null|none|hidden|redacted|masked|filtered|changed|updated|reset|refreshed|rotated|renewed|generated|too|not|no|set|stored|hashed|encrypted|weak|strong|short|long|mandatory|optional|present|absent|protected|mismatch|mismatched|incorrecta|incorreta|incorrecte?|errata|falsch|ungültig|invalide|inv[aá]lid[oa]|n\/a)$/i

/** Scripts that join words without blanks, or whose letters no blank of ASCII ends: noun, a few words, then the value. */
export const FOREIGN_NOUN =
  /(парол[а-яё]{1,4}|лозинк[а-я]|رمز عبور|পাসওয়ার্ড|κωδικ(?:ός|ό|ού)(?: πρόσβασης)?|סיסמ(?:ה|ת|א)[א-ת]{0,2}|كلمة (?:المرور|السر|مرور)|पासवर्ड|รหัสผ่าน|密码|密碼|口令|暗号|パスワード|暗証番号|비밀번호|암호|գաղտնաբառ|პაროლი)|(токен[а-яё]{0,2}|ключ[а-яё]{0,2} (?:доступа|шифрования|сервиса)|секрет[а-яё]{0,2}|ключ api|секретный ключ|令牌|密钥|金鑰|トークン|APIキー|秘密鍵|토큰|비밀 ?키|टोकन|رمز الوصول|אסימון)|(код[а-яё]{0,2} (?:подтверждения|доступа|проверки|безопасности)|ваш код|^код|ओटीपी|κωδικός επαλήθευσης|קוד (?:אימות|הכניסה|האימות)|رمز (?:التحقق|التأكيد)|सत्यापन कोड|รหัส(?:ยืนยัน| ?OTP)|验证码|驗證碼|校验码|動態碼|动态码|認証コード|確認コード|検証コード|ワンタイムパスワード|인증 ?(?:번호|코드)|확인 ?코드)/gi
export const FOREIGN_GAP =
  /[^\x21-\x7e\n]{0,24}(?:[\w.@+-]{1,64}(?: ?[:—–=-]| это)[^\x21-\x7e\n]{1,4})?(?:[:=-]{1,2}>?[^\x21-\x7e\n]{0,4})?["'`[({]?([\x21-\x7e]{4,512})/y

/** "The code 123456 is invalid", "entered code 123456 does not match": of six digits, as no code of an error has. */
export const CODE_JUDGED =
  /(?<=\b(?:the|your|this|entered|submitted|provided|typed|wrong|incorrect|invalid|expired) code ["'`]?)\d{6}(?=["'`]? (?:is|was|has|does|did|for|from|you)\b)|(?<=\bcode )\d{6}(?= (?:was )?sent\b)/gi

/** A code before what it is: "123456 is your code", "Use 123456 to sign in". */
export const CODE_FIRST =
  /(?<![\w.#:/-])(?:[A-Z]{1,3}-)?(\d{3}[ -]\d{3}|\d{4,8})(?=["'`”]? (?:(?:is|ist|es|est|è|é|er|är|jest|to|as|als|como|comme) (?:your|the|dein|ihr|tu|su|votre|ton|je|uw|din|seu|il tuo|tw[óo]j)\b[^\d.;\n]{0,40}(?:code|pin|otp|kod|c[óo]digo|codice|passcode)|to (?:sign|log|verify|confirm|continue|complete)|as (?:your )?(?:otp|pin)))/gi
