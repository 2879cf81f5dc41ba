/** Secrets that sentences and commands tell by their place, of letters alone too: "Login failed for bob/X", `vault login X`. */
import { FILTERED } from './filtered.ts'
import { isHarmlessWord, isPlaceholder } from './harmless.ts'
import { isSecretNoun } from './key-words.ts'
import { isSalad, isToldBare } from './letters.ts'
import { namedGroup } from './named-group.ts'
import { isChosen, isOrdinary } from './ordinary.ts'
import { STATUS } from './phrase-words.ts'
import { isRandom, looksIssued } from './random.ts'

const ENDS = String.raw`(?=["'\x60)\]]{0,2}(?:$|[\s.,;]))`
const VALUE = String.raw`(?<value>[^\s"'\x60()[\]{}<>,;/]{4,256})`

interface ToldRule {
  /** Signs of which a text holds one, if the pattern can match. */
  readonly signs: readonly string[]
  readonly pattern: RegExp
  readonly rule: 'password' | 'token'
  readonly isSecret: (value: string) => boolean
}

/** No word of a command's own messages. */
const isNoMessage = (value: string): boolean =>
  !/^(?:fail|error|time|denied|was|is|to|for|at|with|requir|succe|help|command|page|prompt|attempt|form|token|on|via|using|returned|exit|and|or|again)\w{0,8}:?$/i.test(
    value,
  ) && !value.startsWith('-')
const isAnything = (): boolean => true
/** True for what chance or fancy made. */
const isTold = (value: string): boolean =>
  isSalad(value) || looksIssued(value) || isToldBare(value) || isChosen(value)
/** True for what is no word of a sentence: chosen, or with a digit or a sign in it. */
const isAnswer = (value: string): boolean => isChosen(value) || /\d|[^\w.-]/.test(value)

const RULES: readonly ToldRule[] = [
  {
    // "Login attempt by alice with X rejected"
    signs: [' with '],
    pattern: new RegExp(
      String.raw`\b(?:log-?in|sign-?in|auth\w{0,12})(?: attempt)? (?:by|for|as|of|from) [\w.@+-]{1,64} (?:with|using) ["'\x60]?${VALUE}(?=["'\x60]?(?: (?:was |is )?(?:rejected|refused|denied|failed|wrong|invalid)|[.,;]?$))`,
      'gi',
    ),
    rule: 'password',
    isSecret: (value) => /[A-Za-z]/.test(value) && /[\d!#$%^&*+=]/.test(value) && !/@|^v?\d/.test(value),
  },
  {
    // "passcode is 483 920"
    signs: ['code is ', 'code: ', 'PIN is ', 'OTP is ', 'otp is ', 'PIN: ', 'OTP: '],
    pattern:
      /\b(?:(?:pass ?|login |verification |security |confirmation |sign-?in )code|PIN|OTP)(?: is|:) (?<value>\d{3} \d{3})(?![\d ]\d)/gi,
    rule: 'password',
    isSecret: isAnything,
  },
  {
    // "Use code X to finish pairing"
    signs: ['se code ', 'nter code ', 'ype code ', 'he code '],
    pattern:
      /\b(?:use|enter|type) (?:the )?code (?<value>[A-Z\d]{3,8}(?:-[A-Z\d]{3,8}){0,3}|\d{3} \d{3}) (?:to|on|at|in order to) (?:finish|complete|confirm|verify|sign|log|pair|link|connect|activate|reset|unlock|continue|join)/gi,
    rule: 'password',
    isSecret: (value) => /\d/.test(value) && value.length >= 4,
  },
  {
    // "WPA key X"
    signs: ['WPA', 'Wi-Fi key ', 'WiFi key ', 'wifi key ', 'network key ', 'pre-shared key '],
    pattern: new RegExp(
      String.raw`\b(?:wi-?fi|wlan|wpa\d?(?:-psk)?|network|pre-shared) (?:key|psk) (?:is |was |= ?)?["'\x60]?${VALUE}${ENDS}`,
      'gi',
    ),
    rule: 'password',
    isSecret: (value) => /\d/.test(value) && /[A-Za-z]/.test(value) && value.length >= 6,
  },
  {
    signs: ['oken "', "oken '", 'oken `'],
    pattern: new RegExp(
      String.raw`\b(?:rejected|refused|denied|revoked|expired|leaked|stolen) (?:\w{2,12} )?token (?<quote>["'\x60])${VALUE}(?=\k<quote>)`,
      'gi',
    ),
    rule: 'token',
    isSecret: isAnything,
  },
  {
    signs: ['failed', 'failure', 'rejected', 'refused', 'denied', 'error ', 'error:'],
    pattern: new RegExp(
      String.raw`\b(?:log-?in|sign-?in|log-?on|auth(?:entication)?|handshake)\]? (?:failed|failure|error|rejected|refused|denied)(?: for| of| by|:) (?:(?:user|client|account|service|role) )?[\w.@+-]{1,64}[/:](?!\/)${VALUE}(?=$|[,;)]|\s(?:from|at|on|via|\()|\.(?:\s|$))`,
      'gi',
    ),
    rule: 'password',
    isSecret: (value) => !/^[\d.:]+$|@|^user(?:name)?$/.test(value),
  },
  {
    signs: ['vault login ', 'cargo login '],
    pattern: new RegExp(String.raw`\b(?:vault|cargo) login (?:-[\w=-]{1,40} ){0,4}${VALUE}${ENDS}`, 'g'),
    rule: 'token',
    isSecret: isNoMessage,
  },
  {
    signs: [
      'redentials',
      'reds',
      'ogin: ',
      'ogins: ',
      'sername and pass',
      'ser and pass',
      'sername/pass',
      'ser/pass',
    ],
    pattern: new RegExp(
      String.raw`\b(?:credentials?|creds|logins?|user(?:name)?s?\s?(?:and|\/|&|,)\s?pass(?:word|wd)?)["']?(?:\s?[:=]\s?|\s(?:are\s|is\s)?)[(["']?(?:[\w.@+-]{1,64}|\[Filtered\])["']?\s?(?:[/:|,]|and\b)\s?["']?${VALUE}${ENDS}`,
      'gi',
    ),
    rule: 'password',
    isSecret: (value) =>
      !/^[\d.:]+$|[@=]|^(?:user(?:name)?|account|role)$/.test(value) && !isSecretNoun(value),
  },
  {
    signs: ['d [Filtered] '],
    pattern: new RegExp(
      String.raw`\buser(?:name)?s? (?:and|\/|&) pass(?:word|wd)? \[Filtered\]\s["']?${VALUE}(?=["']?\))`,
      'gi',
    ),
    rule: 'password',
    isSecret: isAnything,
  },
  {
    signs: [' ['],
    pattern: new RegExp(String.raw`\bpass(?:word|phrase|wd) \[(?!Filtered)${VALUE}(?=\](?:$|[ ,.;]))`, 'gi'),
    rule: 'password',
    isSecret: isAnything,
  },
  {
    signs: [' pass'],
    pattern: new RegExp(
      String.raw`\b(?:my|his|her|their|root|admin|default)(?: \w{2,12})? pass(?:word|phrase)(?: (?:is|was) ${VALUE}(?=[!.]?$))`,
      'gi',
    ),
    rule: 'password',
    isSecret: (value) => !/(?:ed|ing|ent|ect|ort|ong|eak|id|ame|ank|eady|ine|afe)$/.test(value),
  },
  {
    // "[sudo] password for bob: X", "Enter passphrase for key '/x': X"
    signs: [' for ', ' of ', "'s pass"],
    pattern: new RegExp(
      String.raw`(?:\b(?:pass(?:word|phrase|code)|PIN) (?:for|of) (?:(?:the|key|user|account|token) ){0,2}["'\x60]?[\w@./\\:[\]-]{1,128}["'\x60]?|'s pass(?:word|phrase)):[ \t]{1,2}${VALUE}(?=\s{0,4}(?:$|[\r\n]))`,
      'gi',
    ),
    rule: 'password',
    isSecret: isAnswer,
  },
  {
    // "the key for the guest network is X"
    signs: ['ass', 'PIN', ' key ', 'oken ', 'pw '],
    pattern: new RegExp(
      String.raw`\b(?:pass(?:word|phrase|code)|pwd?|PIN|(?:wi-?fi|wlan|wpa2?|api|access|secret|network|license) key|token) (?:for|of|on|at|to|in) (?:[\w@.'-]{1,32} ){1,6}(?:is|was|=|:) ["'\x60]?${VALUE}(?=["'\x60]?(?:$|[.,;!](?:\s|$)|\s(?:and|but|for|now)\b))`,
      'gi',
    ),
    rule: 'password',
    isSecret: (value) => isChosen(value) || (/\d/.test(value) && /[A-Za-z]/.test(value) && value.length >= 6),
  },
  {
    // "password reset to X", `::add-mask::X`
    signs: ['set to ', 'ged to ', 'ted to '],
    pattern: new RegExp(
      String.raw`\b(?:password|passphrase|passcode|PIN) (?:was |has been |is )?(?:now )?(?:re)?(?:set|changed|updated) to ["'\x60]?${VALUE}${ENDS}`,
      'gi',
    ),
    rule: 'password',
    isSecret: isAnswer,
  },
  {
    // `Your code is <strong>X</strong>`
    signs: ['<b>', '<strong', '<code', '<span', '<h'],
    pattern:
      /\b(?:code|OTP|PIN)\b[^<>\n]{0,40}<(?:b|strong|code|span|h\d)(?: [^<>]{0,80})?>(?<value>\d{4,8}|\d{3}[ -]\d{3})(?=<)/gi,
    rule: 'password',
    isSecret: isAnything,
  },
  {
    // "PIN for the card is X"
    signs: ['PIN for ', 'PIN of '],
    pattern: /\bPIN (?:for|of) (?:[\w@.'-]{1,32} ){1,6}is (?<value>\d{4,8})(?!\d)/g,
    rule: 'password',
    isSecret: isAnything,
  },
  {
    // `IDENTIFIED BY X`, without quotes
    signs: ['DENTIFIED BY ', 'dentified by '],
    pattern: new RegExp(
      String.raw`\b(?:IDENTIFIED BY|identified by) (?!VALUES\b|PASSWORD\b)${VALUE}${ENDS}`,
      'g',
    ),
    rule: 'password',
    isSecret: isAnswer,
  },
  {
    // "password for admin X"
    signs: ['assword for '],
    pattern: new RegExp(String.raw`\bpassword for [\w.@-]{2,64} ${VALUE}${ENDS}`, 'gi'),
    rule: 'password',
    isSecret: (value) => /\d/.test(value) && /[A-Z!#$%^&*]/.test(value) && /[a-z]/.test(value),
  },
  {
    // "password......X" of a table of settings
    signs: ['....'],
    pattern: new RegExp(
      String.raw`\b(?:\w{1,32}\.)?(?:password|secret|passphrase|token)\.{4,80} ?${VALUE}${ENDS}`,
      'gi',
    ),
    rule: 'password',
    isSecret: isAnything,
  },
  {
    // "login=bob:X", "auth=bob:X"
    signs: ['ogin=', 'uth='],
    pattern: new RegExp(String.raw`\b(?:login|(?:basic_?)?auth)=[\w.@+-]{1,64}:${VALUE}${ENDS}`, 'gi'),
    rule: 'password',
    isSecret: (value) => !/^\d{1,5}$/.test(value),
  },
  {
    // "password 0 X" of routers
    signs: [
      'word 0 ',
      'word 5 ',
      'word 7 ',
      'word 8 ',
      'ecret 0 ',
      'ecret 5 ',
      'ecret 8 ',
      'ecret 9 ',
      'key 0 ',
      'key 7 ',
    ],
    pattern: new RegExp(String.raw`\b(?:password|secret|key) [05789] ${VALUE}${ENDS}`, 'g'),
    rule: 'password',
    isSecret: (value) => !/^(?:found|not|of|is|was|missing|times|items?|rows?)$/.test(value),
  },
  {
    // `password = {PLAIN}X`
    signs: ['{PLAIN', '{CLEAR', '{plain'],
    pattern: /\{(?:PLAIN|CLEARTEXT|CLEAR|plain|cleartext)\}(?<value>[^\s"'{}]{3,256})/g,
    rule: 'password',
    isSecret: isAnything,
  },
  {
    // A line of its own between others of settings: `password X`
    signs: ['password ', 'passwd ', 'pass ', 'secret '],
    pattern:
      /(?<=[\r\n][ \t]{0,16}(?:password|passwd|pass|secret)[ \t]{1,8})(?<value>[^\s"'=:]{4,128})(?=[ \t]{0,8}(?:[\r\n]|$))/g,
    rule: 'password',
    isSecret: (value) => !isOrdinary(value),
  },
  {
    // "3f2a… is no valid token"
    signs: [' is not ', ' is no ', ' is an in'],
    pattern:
      /(?<![\w./-])(?<value>[\w+/=-]{16,512}) is (?:(?:not|no|an?) ){1,2}(?:(?:in)?valid |known |unknown )?(?:api |access |auth |bearer )?(?:token|key|secret)\b/g,
    rule: 'token',
    isSecret: (value) => looksIssued(value) || /^(?=[a-f]*\d)[0-9a-f]{32,}$/.test(value),
  },
  {
    // "the key is X"
    signs: ['key ', 'crumb '],
    pattern: /\b(?:key (?:is |was )?(?=[\w-]{0,127}[A-Z])|crumb )(?<value>[\w-]{24,128})(?=$|[\s,;.)])/g,
    rule: 'token',
    isSecret: (value) => isRandom(value, 0, value.length, 'mixed') || /^[\da-f]{64}$/.test(value),
  },
  {
    // "my pass is X9", "secret answer was X", "confirm with code 123456"
    signs: [' pass is ', ' answer ', 'with code ', 'using code '],
    pattern: new RegExp(
      String.raw`(?:\b(?:my|your|his|her|their) pass is (?=\S{0,32}\d)|\b(?:secret|security) answer (?:is |was |: ?)|\b(?:confirm|verif|log|sign|authenticat)\w{0,6} (?:\w{1,8} ){0,3}(?:with|using) code (?=\d{6}(?!\d)))${VALUE}(?=$|[\s.,;!])`,
      'gi',
    ),
    rule: 'password',
    isSecret: isAnswer,
  },
  {
    // "Failed login: bob:X", `checkPassword(bob, X)`
    signs: ['ailed log', 'ailed sign', 'ailed auth', 'assword(', 'ecret('],
    pattern: new RegExp(
      String.raw`(?:\bfailed (?:log-?in|sign-?in|auth\w{0,12})(?: for)?:? [\w.@+-]{1,64}:|\b\w{0,24}(?:Password|Secret)\([\w.@-]{1,64}, ?)${VALUE}(?=$|[\s),;])`,
      'g',
    ),
    rule: 'password',
    isSecret: (value) => /\d/.test(value) && /[A-Za-z]/.test(value),
  },
  {
    // "shared secret X does not match"
    signs: ['ecret '],
    pattern: new RegExp(
      String.raw`\b(?:shared|client|app|signing|webhook|jwt) secret ${VALUE}(?= (?:does|did|is|was|has|not|rejected|expired|mismatch))`,
      'gi',
    ),
    rule: 'token',
    isSecret: (value) =>
      /\d/.test(value) && /[A-Za-z]/.test(value) && value.length >= 8 && !/[_-]\d{1,3}$|^v\d/.test(value),
  },
  {
    // `(password . "X")`
    signs: ['(pass', '(secret', '(token', '(api'],
    pattern: /\((?:password|passwd|pass|secret|token|api-?key) \. "(?<value>[^"\n]{3,256})(?=")/gi,
    rule: 'password',
    isSecret: isAnything,
  },
  {
    // "Logging in as bob with X", "logged in (bob/X)", "auth attempt: bob / X", "please use bob / X to sign in"
    signs: [' as ', '/', ' / ', 'redentials'],
    pattern: new RegExp(
      String.raw`\b(?:(?:log(?:ged|ging)?[ -]?in|sign(?:ed|ing)?[ -]?in|connect(?:ed|ing)?|authenticat(?:ed|ing)) as [\w.@+-]{1,64} with |(?:log(?:ged|ging)?[ -]?in|sign(?:ed|ing)?[ -]?in|auth(?:entication)? attempt|login attempt|superuser created|account created|admin created|user created|connect(?:ed|ing)?)(?: as| with|:| \()? ?\(?[\w.@+-]{1,64} ?/ ?|\b(?:use|try|enter) [\w.@+-]{1,64} ?/ ?(?=\S{1,64} to (?:sign|log)))${VALUE}(?=\)|$|[,;.]?\s|[,;.]$)`,
      'gi',
    ),
    rule: 'password',
    isSecret: (value) => /\d/.test(value) && /[A-Za-z]/.test(value) && !/^v?\d+(?:\.\d+)+|@/.test(value),
  },
  {
    // "Grafana: admin:X default credentials", "adduser bob (X)"
    signs: ['redentials', 'adduser ', 'useradd '],
    pattern:
      /(?:\b[\w.@-]{2,32}:(?=\S{6,64} (?:default )?credentials\b)|\b(?:adduser|useradd) [\w.-]{1,32} \()(?<value>[^\s"'():]{4,64})(?=\)| )/g,
    rule: 'password',
    isSecret: (value) => /\d/.test(value) && /[A-Za-z]/.test(value),
  },
  {
    // "AUTH LOGIN bob X", "AUTH CRAM-MD5 bob X", "AUTHENTICATE PLAIN X"
    signs: ['AUTH LOGIN ', 'AUTH CRAM', 'AUTH PLAIN ', 'AUTHENTICATE PLAIN '],
    pattern:
      /\bAUTH(?:ENTICATE)? (?:LOGIN|CRAM-MD5|PLAIN)(?: \S{1,128}(?= \S))? (?<value>[A-Za-z\d+/=]{4,512})(?=$|\s|["'\\])/g,
    rule: 'password',
    isSecret: (value) =>
      !/^(?:failed|not|required|disabled|unsupported|is|was|method|mechanism|offered|supported|authentication|refused|rejected|timeout|error|login|plain|(?:gs2-|scram-|cram-|x|ntlm|external|gssapi|anonymous|digest-)[\w-]{0,20})$/i.test(
        value,
      ),
  },
  {
    // `ldap_bind(cn=a, X)`
    signs: ['bind('],
    pattern: /\bbind\w{0,8}\((?:cn|uid|ou|dc)=[^()\n]{1,160}?, ?(?<value>[^\s"'=,()]{4,128})(?=\))/gi,
    rule: 'password',
    isSecret: isAnything,
  },
  {
    // "password <X> rejected", `password=<X>`
    signs: ['word <', 'word=<', 'phrase <'],
    pattern: /\bpass(?:word|phrase)(?: |=|: )<(?<value>[^\s<>"']{4,128})(?=>)/gi,
    rule: 'password',
    isSecret: (value) => /\d/.test(value) || isChosen(value),
  },
  {
    // "sent OTP [123456] to bob", "code 123456 for bob expires"
    signs: ['OTP [', 'code ', 'otp ['],
    pattern: /(?:\b(?:OTP|otp|code) \[|\bcode (?=\d{6} for \S{1,64} expires))(?<value>\d{4,8})(?=\]| for )/g,
    rule: 'password',
    isSecret: isAnything,
  },
  {
    // "backup codes X Y Z"
    signs: [' codes '],
    pattern:
      /(?<=\b(?:backup|recovery|rescue|scratch) codes:? (?:\S{6,16}[ ,;]{1,2}){0,15})(?<value>(?=[a-z]{0,15}\d)[a-z\d]{6,16}|[a-z\d]{4,6}-[a-z\d]{4,6})(?=$|[\s,;.])/g,
    rule: 'password',
    isSecret: isAnything,
  },
  {
    // "the wifi password is mimosa tree": up to the end
    signs: ['ssword is ', 'ssphrase is '],
    pattern:
      /\b(?:wi-?fi|wlan|network|guest|my|our|your|his|her|their) pass(?:word|phrase) is (?<value>[a-z]{4,16} [a-z]{4,16}(?: [a-z]{4,16}){0,2})[.!]?$/gi,
    rule: 'password',
    isSecret: (value) => !isOrdinary(value.split(' ')[0] ?? ''),
  },
  {
    // `bob : PSK "X"` of a tunnel's secrets, `option key 'X'` of a router's settings
    signs: [': PSK "', ': EAP "', ': XAUTH "', ': NTLM "', "option key '"],
    pattern:
      /(?:(?:^|\s): (?:PSK|EAP|XAUTH|NTLM) "|(?:^|[\r\n])[ \t]{0,16}option key ')(?<value>[^"'\r\n]{3,256})(?=["'][ \t]{0,8}(?:$|[\r\n]))/g,
    rule: 'password',
    isSecret: isAnything,
  },
  {
    // Of SASL: a name and a password between zeroes.
    signs: ['u0000', 'x00'],
    pattern: /(?:\\u0000|\\x00)[\w.@+-]{1,64}(?:\\u0000|\\x00)(?<value>[^\s"'\\]{3,256})/g,
    rule: 'password',
    isSecret: isAnything,
  },
  {
    signs: ['::add-mask::'],
    pattern: /::add-mask::(?<value>\S{3,1024})/g,
    rule: 'password',
    isSecret: isAnything,
  },
  {
    // `"X" is not the right password`
    signs: [' password'],
    pattern:
      /["'\x60“„](?<value>[^\s"'\x60“”„]{4,256})["'\x60”“] (?:is|was) (?:not |no longer )?(?:the|a|my|your|his|her|their)(?: \w{2,12})? password\b/g,
    rule: 'password',
    isSecret: (value) => !isOrdinary(value) && !isSecretNoun(value),
  },
  {
    // `User(a, Password(X))`
    signs: ['assword(', 'ecret(', 'phrase(', 'piKey('],
    pattern: /\b(?:Password|Secret|Passphrase|ApiKey|PrivateKey)\((?<value>[^\s()"'`,=]{4,256})(?=\))/g,
    rule: 'password',
    isSecret: isAnswer,
  },
  {
    // A line of smbpasswd, a robot of a registry.
    signs: [':['],
    pattern: /(?<=:\d{1,10}:)(?<value>[0-9A-FX]{32}:[0-9A-F]{32})(?=:\[)/g,
    rule: 'password',
    isSecret: isAnything,
  },
  {
    signs: ['robot$'],
    pattern: new RegExp(String.raw`\brobot\$[\w.+-]{1,64}:${VALUE}${ENDS}`, 'g'),
    rule: 'token',
    isSecret: isAnything,
  },
  {
    // "user bob / pass X", "login with bob/X failed"
    signs: [
      ' pass',
      'uth with ',
      'ogin with ',
      'igned in with ',
      'ogged in with ',
      'log in with ',
      'sign in with ',
    ],
    pattern: new RegExp(
      String.raw`(?:\buser(?:name)?[ :=]{1,2}["']?[\w.@+-]{1,64}["']?(?: ?[/,;&|] ?| )(?:pass|pw|pwd)[ :=]{1,2}["']?|\b(?:log(?:ged|ging)?[ -]?in|sign(?:ed|ing)?[ -]?in|auth(?:enticat(?:ed|ing|e))?) with [\w.@+-]{1,64}[/:])${VALUE}(?=["']?(?:$|[\s.,;]))`,
      'gi',
    ),
    rule: 'password',
    isSecret: (value) => isAnswer(value) && !/^\d{1,5}$/.test(value),
  },
  {
    signs: ['AUTH '],
    pattern: new RegExp(String.raw`^AUTH (?:[\w.-]{1,64} (?=\S))?${VALUE}$`, 'g'),
    rule: 'password',
    isSecret: (value) => isNoMessage(value) && !isOrdinary(value),
  },
  {
    signs: ['command: AUTH '],
    pattern: new RegExp(String.raw`\bcommand: AUTH (?:[\w.-]{1,64} (?=\S))?${VALUE}${ENDS}`, 'g'),
    rule: 'password',
    isSecret: isAnything,
  },
  {
    signs: ['htpasswd -'],
    pattern: new RegExp(String.raw`\bhtpasswd -\w{0,4}b\w{0,4} \S{1,128} \S{1,64} ${VALUE}`, 'g'),
    rule: 'password',
    isSecret: isAnything,
  },
  {
    signs: ['asscode', 'ass code'],
    pattern: new RegExp(
      String.raw`\bpass ?codes? ["'\x60]?${VALUE}(?=["'\x60]? (?:did|does|was|is|has|rejected|failed)\b)`,
      'gi',
    ),
    rule: 'password',
    isSecret: isTold,
  },
  {
    signs: ['d password ', 'the password ', 'ew password ', 'y password ', 'l password '],
    pattern: new RegExp(
      String.raw`\b(?:tried|used|entered|typed|submitted|new|temporary|initial) (?:the )?pass(?:word|phrase) ${VALUE}(?= (?:sent|mailed|emailed|assigned|generated|issued|once|twice|\w{1,8} times|but|and (?:was|got|failed))\b)`,
      'gi',
    ),
    rule: 'password',
    isSecret: (value) => !/(?:ed|ing|ion|s)$/.test(value),
  },
]

/** Pattern looked for before those of each rule: for most texts the only one. */
const MAYBE_TOLD =
  /crumb |(?:attempt |[io]n |uth\w{0,12} )(?:by|for|as|of|from) \S{1,64} (?:with|using) |(?:code|PIN|OTP|otp)(?: is|:) \d|(?:se|nter|ype)(?: the)? code |WPA|[wW]i-?[fF]i key |etwork key |shared key |oken ["'`]|ed for |ed of |ed by |ailure|rror (?:for|of|by|:)|ed: |(?:vault|cargo) login |redentials|[cC]reds| pass is | answer |(?:with|using) code |ailed (?:log|sign|auth)|(?:assword|ecret)\(|ecret |key (?:is |was )?[\w-]{24}| is (?:not|no|an in)|\{(?:PLAIN|CLEAR|plain)|[\r\n][ \t]{0,16}(?:pass|secret)|\((?:pass|secret|token|api)|(?:in|ing|ed|ted) as | ?\/ ?\S|adduser |useradd |AUTH(?:ENTICATE)? (?:LOGIN|CRAM|PLAIN)|bind\w{0,8}\(|word[ =:]{1,2}<|phrase <|(?:OTP|otp|code) \[|code \d| codes |(?:word|phrase) is |: (?:PSK|EAP|XAUTH|NTLM) "|option key '|u0000|x00|::add-mask|["'`”“] (?:is|was) |ogins?: | and pass|\/pass|d \[Fil|: AUTH |^AUTH |pass\w{2,6} \[|(?:[my]|is|er|ir|ot|in|lt) pass(?:word|phrase) (?:is|was)|(?:word|phrase|code|PIN|pw|key|oken) (?:for|of|on|at|to|in) |'s pass| pass[ :=]|(?:in|uth|ed|ing|cate) with |\.{4}|(?:word|ecret|key) [05789] |(?:ogin|uth)=|:\[[A-Z]|robot\$|(?:set|ged|ted) to |(?:assword|ecret|phrase|piKey)\(|<(?:b|strong|code|span|h\d)[ >]|dentified by |DENTIFIED BY |htpasswd -|ass ?code|(?:d|the|new|[yl]) pass(?:word|phrase) /

/** Scrubs texts that are not code. */
export function scrubTold(text: string, onFound: (rule: string, value: string) => void): string {
  if (!MAYBE_TOLD.test(text)) return text
  let out = text
  for (const { signs, pattern, rule, isSecret } of RULES) {
    if (!signs.some((sign) => out.includes(sign))) continue
    out = out.replace(pattern, (whole: string, ...rest: unknown[]) => {
      const value = namedGroup(rest, 'value')
      if (value.includes('[Filtered') || isPlaceholder(value) || isHarmlessWord(value)) return whole
      if (STATUS.test(value) || !isSecret(value)) return whole
      onFound(rule, value)
      const at = whole.lastIndexOf(value)
      return whole.slice(0, at) + FILTERED + whole.slice(at + value.length)
    })
  }
  return out
}
