/** Options of commands that hold secrets under names too short to tell: `mysql -pX`, `redis-cli -a X`, `curl -u a:X`. */
import { FILTERED } from './filtered.ts'
import { isHarmlessWord, isPlaceholder } from './harmless.ts'
import { isChosen } from './ordinary.ts'
import { looksIssued } from './random.ts'
import { isMade } from './uncommon.ts'

interface Command {
  readonly names: string
  /** The value is the next argument, or follows `=`. */
  readonly flags: string
  /** The value may be written on to this flag. */
  readonly glued?: string
  /** The value of these is `name:secret`; a name alone is no secret. */
  readonly pairs?: string
  /** Only behind this word: of its other words, `-p` is a port or a project. */
  readonly within?: string
}

const COMMANDS: readonly Command[] = [
  {
    names: 'mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlsh mariadb mariadb-dump',
    flags: '',
    glued: '-p',
  },
  { names: 'sshpass', flags: '-p', glued: '-p' },
  { names: '7z 7za 7zz', flags: '', glued: '-p' },
  { names: 'redis-cli valkey-cli keydb-cli redis-benchmark valkey-benchmark', flags: '-a' },
  { names: 'steghide veracrypt', flags: '-p' },
  { names: 'choco', flags: '-k' },
  { names: 'ab', flags: '', pairs: '-A -P' },
  { names: 'memtier_benchmark', flags: '', pairs: '--authenticate' },
  { names: 'mongo mongosh mongodump mongorestore mongoexport mongoimport', flags: '-p' },
  { names: 'docker podman nerdctl', flags: '-p', within: 'login' },
  { names: 'helm buildah skopeo az oc', flags: '-p' },
  { names: 'sendemail swaks', flags: '-xp -ap' },
  { names: 'ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami', flags: '-w' },
  { names: 'ldappasswd', flags: '-w -s -a' },
  { names: 'sqlcmd bcp isql osql', flags: '-P', glued: '-P' },
  { names: 'zip unzip zipcloak', flags: '-P', glued: '-P' },
  { names: 'curl wget', flags: '', pairs: '-u --user -U --proxy-user -E --cert' },
  { names: 'http https xh httpie', flags: '', pairs: '-a --auth' },
  { names: 'useradd usermod adduser', flags: '-p' },
  { names: 'rar unrar', flags: '', glued: '-p -hp' },
  { names: 'vercel codecov doctl netlify surge', flags: '-t --auth' },
  { names: 'nuget dotnet', flags: '-k -Password' },
  { names: 'ipmitool cqlsh mosquitto_pub mosquitto_sub', flags: '-P -p -pw' },
  { names: 'plink pscp psftp', flags: '-pw' },
  { names: 'ssh-keygen', flags: '-P -N' },
  { names: 'security', flags: '-p -P -w' },
  { names: 'vsce ovsx eas expo', flags: '-p' },
  { names: 'signtool schtasks', flags: '/p /rp' },
  { names: 'kinit ktutil kadmin smbpasswd', flags: '-w -pw' },
  { names: 'ffmpeg ffprobe', flags: '-decryption_key' },
  { names: 'impala-shell beeline', flags: '-p' },
  { names: 'sonar-scanner', flags: '-Dsonar.login -Dsonar.token -Dsonar.password' },
  { names: 'smbclient rpcclient', flags: '-U' },
  { names: 'net', flags: '', pairs: '-U', within: 'rpc' },
  { names: 'certutil keepassxc-cli', flags: '-p' },
  { names: 'keytool jarsigner', flags: '-storepass -keypass -srcstorepass -deststorepass' },
  { names: 'openssl', flags: '-pass -passin -passout -k -K -hmac -macopt' },
  { names: 'snmpwalk snmpget snmpset', flags: '-c -A -X' },
  { names: 'pdftotext pdfinfo pdftoppm pdfimages pdftocairo', flags: '-upw -opw' },
  { names: 'lftp ncftp', flags: '-p -u' },
  { names: 'vault gh heroku npm yarn firebase', flags: '--token --otp' },
]

interface Options {
  readonly flags: ReadonlySet<string>
  readonly pairs: ReadonlySet<string>
  readonly glued: readonly string[]
  readonly within: string | undefined
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' ').filter((word) => word !== ''))

const COMMAND_OF: ReadonlyMap<string, Options> = new Map(
  COMMANDS.flatMap(({ names, flags, glued, pairs, within }) => {
    const options = {
      flags: wordsOf(flags),
      pairs: wordsOf(pairs ?? ''),
      glued: (glued ?? '').split(' ').filter((flag) => flag !== ''),
      within,
    }
    return names.split(' ').map((name) => [name, options] as const)
  }),
)

/** A word of the first three that a shell, a container file or a workflow writes before a command. */
const BEFORE = String.raw`(?:(?:[\w.:@~-]{0,40}[$#>%]|&&|sudo|exec|RUN|CMD|-|run:|[A-Z_]{2,32}=\S{1,128}) ){0,3}`
const FIRST_WORD = new RegExp(String.raw`^[ \t]{0,40}${BEFORE}([\w-]{2,24}) (?![=(:.?])`)
const BEGINNINGS = new Set(
  `net runas rabbitmqctl wpa_passphrase htpasswd rclone snmp-server enable iwconfig username tacacs-server radius-server
  crypto neighbor key-string pre-shared-key wpa-psk wpa-passphrase sqlplus impdp expdp git psql vault ansible-vault gpg kubectl
  proxy_set_header grpc_set_header add_header fastcgi_param uwsgi_param scgi_param SetEnv RequestHeader setx
  requirepass masterauth machine psexec twine PASS LOGIN PRIVMSG IDENTIFY aws poetry nmcli wrangler xfreerdp AUTH HELLO ACL CONFIG ENV
  CREATE ALTER GRANT ATTACH EXEC exec create alter grant attach PRAGMA SELECT INSERT UPDATE DELETE COPY`.split(
    /\s+/,
  ),
)

/** True if a line of source is a command of a shell, a statement, or a line of a server's or router's settings. */
export function isCommandLine(line: string): boolean {
  if (line.includes('ConvertTo-SecureString') || /^\s{0,40}#\s{0,4}define\s/.test(line)) return true
  const word = FIRST_WORD.exec(line)?.[1]
  if (word === undefined) return false
  if (word === 'echo' || word === 'printf') return line.includes(' | ')
  return BEGINNINGS.has(word) || COMMAND_OF.has(word) || (word === 'set' && line.includes('set -'))
}

/** Arguments of a shell, quotes included. */
const ARGUMENT =
  /[^\s"'|;&]{1,4096}(?:"[^"\n]{0,4096}"|'[^'\n]{0,4096}')?|"[^"\n]{0,4096}"(?::"[^"\n]{0,4096}")?|'[^'\n]{0,4096}'|[|;&]/g
const MAYBE_OPTION = /[ \t](?:-[a-zA-Z-]|\/[a-zA-Z]{1,9}[: ])/
/** Options that give a name; beside one of them, those of the second kind give its password, whatever the command. */
const USER_OPTIONS =
  /^(?:-[a-z]?[uU]|-u:.{1,64}|-l|--?user(?:name)?|--login|\/u(?:ser)?:.{1,64})(?:=.{1,128})?$/
const PASSWORD_OPTIONS = /^(?:-[pPw]|-pw|-pass)$/
/** `-p X -u bob`: the name behind. */
const LATER_USER = /^-p [A-Za-z][^\s/:.]{3,64} (?:\S{1,64} ){0,4}(?:-u|--user(?:name)?)[ =][A-Za-z]/
/** No port, path, project or version: small letters, capitals and digits, as only passwords mix them. */
const STRONG =
  /^["']?(?=[^\s"']{0,31}[a-z])(?=[^\s"']{0,31}[A-Z])(?=[^\s"']{0,31}\d)(?![A-Z]?[a-z]{1,24}\d{1,4}$)[^\s"'/@:=,{}()[\]\\]{10,64}["']?$/
const SLASHED = /^[/-](?:p|pw|pass|password|pwd):/i

function optionsOf(name: string): Options | undefined {
  if (name.length > 128) return undefined
  return COMMAND_OF.get(name.replace(/^.*[\\/"'`(\]=]/, '').replace(/\.exe$/, ''))
}

/** `8080:80`, `127.0.0.1:80:80/tcp`: what `-p` of containers publishes. */
const PORTS = /^(?:\d{1,3}(?:\.\d{1,3}){3}:)?\d{1,5}(?:-\d{1,5})?:\d{1,5}/

/** Returns where the secret begins within `argument`, given the one before it; -1 if there is none. */
function secretAt({ flags, pairs, glued }: Options, argument: string, before: string): number {
  let at = -1
  if (flags.has(before) && !argument.startsWith('-')) at = 0
  // Of openssl: where the password is read from.
  if (at === 0 && /^(?:env:\w+|file:\S+|fd:\d+|stdin|prompt)$/.test(argument)) return -1
  const isPair = pairs.has(before) || (pairs.has('-u') && /^-[a-zA-Z]{1,4}u$/.test(before))
  if (isPair && (/^[^-:%][^:%]*[:%]/.test(argument) || isKey(argument))) at = 0
  const equals = argument.indexOf('=')
  if (
    at === -1 &&
    equals > 0 &&
    (flags.has(argument.slice(0, equals)) || pairs.has(argument.slice(0, equals)))
  )
    at = equals + 1
  const own = at === -1 ? glued.find((flag) => argument.startsWith(flag)) : undefined
  if (own !== undefined && argument.length > own.length + 1) at = own.length
  // `-ubob:X`
  if (at === -1 && pairs.has(argument.slice(0, 2)) && /^-[A-Za-z][^-=:%\s][^:%\s]{0,127}[:%]/.test(argument))
    at = 2
  if (at === -1 || PORTS.test(argument.slice(at))) return -1
  if (/["']/.test(argument[at] ?? '')) at++
  // `curl -u KEY:`: a key, and no password behind it.
  if (pairs.size > 0 && isKeyAlone(argument.slice(at))) return at
  // A name before the secret stays: `bob:X`, `pass:X`, `bob%X`.
  return at + (/^[^:%\s"']{0,128}[:%]/.exec(argument.slice(at, at + 130))?.[0].length ?? 0)
}

/** `KEY:`, `KEY:x`: nothing behind the sign, or what stands for it. */
function isKeyAlone(pair: string): boolean {
  return /^(?=[^:]{0,127}\d)[^:\s"']{8,128}:(?:x|x-oauth-basic|api_token|unused)?["']?$/i.test(pair)
}

/** `https -A bearer -a X`: no name, and as long as a key. */
function isKey(argument: string): boolean {
  return argument.length >= 24 && /^\w+$/.test(argument) && looksIssued(argument)
}

export function scrubCommands(text: string, onFound: (rule: string, value: string) => void): string {
  if (!MAYBE_OPTION.test(text)) return text
  let out = ''
  let copied = 0
  let options: Options | undefined
  let before = ''
  let hasUser = false
  let isWithin = false
  for (const { 0: argument, index } of text.matchAll(ARGUMENT)) {
    const isEnd = /^[|;&]$/.test(argument)
    const inner = spokenCommand(argument, onFound)
    if (inner !== null) {
      out += text.slice(copied, index) + inner
      copied = index + argument.length
      before = ''
      continue
    }
    const begun = isEnd ? undefined : optionsOf(argument)
    options = isEnd ? undefined : (begun ?? options)
    isWithin = begun === undefined && (isWithin || argument === options?.within)
    let at =
      options === undefined || (options.within !== undefined && !isWithin)
        ? -1
        : secretAt(options, argument, before)
    // `mysql -u root -p shop`: of these the word behind `-p` is a database.
    if (at === -1 && options?.glued.includes('-p') !== true) at = besideUser(argument, before, hasUser)
    if (argument.includes('://') && USER_OPTIONS.test(before)) hasUser = false
    hasUser =
      !isEnd &&
      (hasUser || USER_OPTIONS.test(argument) || (argument === '-p' && LATER_USER.test(text.slice(index))))
    before = argument
    const value = at === -1 ? '' : argument.slice(at).replace(/["']$/, '')
    if (
      value.length < 3 ||
      value.startsWith('$') ||
      isPlaceholder(value) ||
      isPlaceholder(argument) ||
      /^\{\{.*\}\}$/.test(value) ||
      value.includes(FILTERED) ||
      value === FILTERED.slice(0, -1)
    )
      continue
    onFound('password', value)
    out += text.slice(copied, index + at) + FILTERED
    copied = index + at + value.length
  }
  return copied === 0 ? text : out + text.slice(copied)
}

/** A short command, a flag, a password. */
const SPOKEN_CHARS_MIN = 10

/** `ssh host "mysql -pX"`: a whole command in quotes, scrubbed; `null` where it is none, or holds no secret. */
function spokenCommand(argument: string, onFound: (rule: string, value: string) => void): string | null {
  const last = argument.charCodeAt(argument.length - 1)
  if ((last !== 0x22 && last !== 0x27) || argument.length < SPOKEN_CHARS_MIN) return null
  const quoted = /^([^"']{0,64})(["'])([^\n]{6,4096})\2$/.exec(argument)
  const [, ahead = '', quote = '', command = ''] = quoted ?? []
  if (quoted === null || !MAYBE_OPTION.test(command)) return null
  const scrubbed = scrubCommands(command, onFound)
  return scrubbed === command ? null : ahead + quote + scrubbed + quote
}

function besideUser(argument: string, before: string, hasUser: boolean): number {
  // `-gu bob -gp X`: of a guest, a proxy.
  if (hasUser && /^-[a-z]p$/.test(before) && !/^(?:-|\d{1,5}$)/.test(argument))
    return /^["']/.test(argument) ? 1 : 0
  if (SLASHED.test(argument) && !argument.includes('=') && (argument.startsWith('/') || hasUser))
    return argument.indexOf(':') + 1
  if (!PASSWORD_OPTIONS.test(before) || /^(?:-|\d{1,5}$|.{1,2}$)/.test(argument)) return -1
  if (!hasUser && !STRONG.test(argument)) return -1
  return PORTS.test(argument) ? -1 : /^["']/.test(argument) ? 1 : 0
}

/** Passwords that commands take by their place, after so many words of their own. */
const PLACED =
  /((?<![\w/-])(?:net user \S{1,64}|net use \S{1,64} \S{1,128}(?: \/user:\S{1,64})?|(?:sqlplus|sqlcl|sqlldr|impdp|expdp|rman target)(?: -\w{1,8}){0,3} (?:userid=)?[\w.$-]{1,64}\/|secret-set-value \S{1,64}(?: --base64)?|operator unseal|-setairportnetwork \w{1,16} \S{1,64}|wifi-sec\.psk|wifi connect \S{1,64} password|auth-user-pass [\w.@-]{1,64}|d-i [\w/-]{1,64} password|snmp-server user \S{1,32} \S{1,32} v3 auth(?: \w{2,6})?|priv (?:aes|des|3des)(?: \d{2,3})?|ascii-text|bind password|insecure-password|SNMPv\dc? community|(?:input|user|owner)_pw|rclone obscure|rootpw(?: --\w{1,20}){0,3}|\busername \S{1,64} (?:privilege \d{1,2} )?(?:password|secret)(?: \d)?|(?:tacacs|radius)-server (?:host \S{1,64} )?key(?: \d)?|isakmp key(?: \d)?|key-string(?: \d)?|neighbor \S{1,64} password(?: \d)?|<\(echo(?: -\w{1,2})?|runas \/user:\S{1,64}|rabbitmqctl (?:add_user|change_password|authenticate_user) \S{1,64}|wpa_passphrase \S{1,64}|(?:htpasswd|mosquitto_passwd) (?:-\w{1,8} ){1,4}(?:\S{1,128} )?\S{1,64}|mc (?:alias|config host) (?:set|add) \S{1,64} \S{1,200} \S{1,64}|mc admin user (?:svcacct )?add \S{1,64} \S{1,64}|(?:redis|valkey|keydb)-cli(?: -\w{1,2} \S{1,64}){0,4} (?:AUTH|auth)(?: \S{1,64}(?= \S))?|smbclient (?:\/\/|\\\\{2,4})\S{1,128}|rclone config (?:create|update) [\w. -]{1,128} pass|snmp-server community|enable (?:secret|password)(?: \d)?|ACL SETUSER [^>\n]{1,64}>|iwconfig \w{1,16} key(?: s:)?|aws configure set (?!region|output|profile)\w{1,64}|bw (?:unlock|login \S{1,64})|composer config \S{1,128} \S{1,64}|poetry config (?:http-basic\.\S{1,64} \S{1,64}|pypi-token\.\S{1,64})|bundle config (?:set )?\S{1,128} [\w.-]{1,64}:|(?:aaa-server|radius|tacacs)[^\n]{0,80}\n\s{1,4}key(?: \d)?|ConvertTo-SecureString(?: -(?:String|AsPlainText|Force)){0,3}|acl set-agent-token \w{1,32}|davfs2 \S{1,200} \S{1,64}|addauth digest [\w.-]{1,64}:|[Nn]ick[Ss]erv :?identify|qpdf --encrypt(?: \[Filtered\])?|encrypt_string(?: --\w{1,20})?|SecureString --value|(?:authentication|message-digest)-key(?: \d{1,5})? (?:md5|sha\d{0,3}|hmac-[\w-]{1,12})(?: \d)?|wpa-psk (?:ascii|hex)(?: \d)?|snmp community|rename-command \w{2,16}|user \S{1,64} on [^>\n]{0,32}>|--password(?:-command|eval)[ =]["']?echo(?: -n)?|chpasswd:\s{1,16}(?:expire: \w{4,5}\s{1,16})?list: ?\|?\s{1,16}(?:- )?[\w-]{1,32}:|isql (?:-\w{1,3} ){0,3}[\w.-]{1,64} [\w.-]{1,64}|\buser \S{1,64} using|-u [\w.@-]{1,64},|(?:upwd|user:password) [\w.@-]{1,64}|config set(?: --(?:secret|path|plaintext))+ [\w.:-]{1,64}|(?:put-parameter|put-secret-value|create-secret|secrets? (?:set|create|add|put|update)|update-secret)\b[^\n|;&]{0,256}? --?(?:value|secret-string|secret|body|data|data-string)[ =]|<\(printf ["'][\w.@-]{1,64}\\n|<<<|\buser(?:name)?=[\w.\\-]{1,64}%) ?)(["']?[^\s"'/-][^\s"']{3,255})/g
/** `<<< "X Y"` */
const HERE_STRING = /(<<<\s?\$?(["']))([^"'$]{4,256})(?=\2)/g
/** `echo X | sudo -S`, `echo 'bob:X' | chpasswd`. */
const PIPED =
  /(\b(?:echo|printf) (?:-n )?["']?(?:[\w.-]{1,64}:)?)([^\s"'|$][^\s"'|]{3,255})(?=\s?["']?\s{0,3}\|\s{0,3}(?:sudo|su|chpasswd|passwd|docker|podman|zfs|veracrypt|helm|openssl|gpg|kinit|smbpasswd|cryptsetup|vault|gh|npm|wrangler|gcloud|az|fly|flyctl|op|bw|pass)\b)/g
/** `vault login X`, `gh auth login --with-token <<< X`, `ngrok config add-authtoken X`: the last word is a key. */
const SIGNING_IN =
  /(\b[a-z][\w.-]{1,20} (?:login|auth(?:[ :](?:token|login))?|authtoken|add-authtoken|set-token|(?:config )?(?:add-authtoken|set(?: --?[\w-]{1,20})? ["']?[\w/.:@-]{1,80}["']?)|token revoke|config [\w.:-]{1,80})(?: -{1,2}[\w-]{1,20})?\s{1,3}["']?|<<<\s?["']?)([A-Za-z0-9_+/=-]{12,512})(?![\w./:@-])/g
/** Lines of protocols: `AUTH X`, `PASS X`, `a1 LOGIN bob X`. */
const PROTOCOL =
  /((?:^|[\n>:"'] ?|\\n|(?:INFO|DEBUG|TRACE|WARN|ERROR) )(?:[A-Za-z]{1,2}\d{1,5} |\* |HELLO \d |USER \S{1,64} |(?:PRIVMSG )?(?:NICKSERV|NickServ|nickserv) :?)?(?:AUTH["']?(?: (?:PLAIN|LOGIN|XOAUTH2|[a-z]{1,32}))?|PASS|LOGIN \S{1,64}|IDENTIFY(?: \S{1,32})?) ["']?)([^\s"']\S{2,510}[^\s"'])(?=["']?\s{0,2}(?:$|[\r\n]|\\[rn]))/g
/** `credentials bob / X`, `signed in as bob:X`: a name and, behind it, what goes with it. */
const SIGNED_IN_AS =
  /((?<![\w/])(?:credentials?:?|identifiants?|zugangsdaten|anmeldedaten|credencia(?:le|i)s|credenziali|inloggegevens|user(?:name)?\/pass(?:word)?|login\/pass(?:word)?|log(?:ged|ging)?[ -]?in|auth(?:enticat(?:ed?|ing|ion))?|sign(?:ed|ing)?[ -]?in)(?::(?= user ))?(?: (?:as|with|for|using|of|user|by|failed|refused|is|are|was)){0,3} ?:? (?:[\w.@+-]{2,64}|\[Filtered\]) ?[:/] ?)([^\s"'`,;)/:]{6,128})(?![\w/:])/gi
const MAYBE_SIGNED_IN =
  /(?:redentials?|dentifiants?|sdaten|dedaten|redencia[il]e?s|redenziali|nloggegevens|\/pass(?:word)?|[Ll]og\w{0,4}[ -]?in|[Aa]uth\w{0,10}|[Ss]ign\w{0,3}[ -]?in)\b[^\n]{1,90}[:/]/
const MAYBE_PLACED =
  /rename-command| on [^>\n]{0,32}>|password-?(?:command|eval)|chpasswd:|\b(?:net use|runas|rabbitmqctl|wpa_passphrase|htpasswd|mc (?:alias|config|admin)|(?:redis|valkey|keydb)-cli|smbclient|isql |user \S{1,64} using| -u \S{1,64},|upwd |user:password |config set |put-parameter|put-secret|create-secret|secrets? (?:set|create|add)|<\(printf|mosquitto_passwd|rclone|secret-set-value |operator unseal |-setairport|sec\.psk |wifi connect |auth-user-pass |d-i |ascii-text |bind password |insecure-password |v\dc? community |priv (?:aes|des|3des) |snmp-server|enable |ACL SETUSER|iwconfig|aws configure|bw |composer config|poetry config|bundle config|SecureString|davfs2|sqlplus|sqlcl|sqlldr|impdp|expdp|rman |rootpw|username |-server |isakmp|key-string|neighbor |addauth|identify|qpdf|encrypt_string|-key |-psk |community )|<<<|_pw |<\(echo|%|(?:aaa-server|radius|tacacs)[^\n]{0,80}\n/
const MAYBE_SIGNING_IN = /(?:login|auth|token|config|set) |<<</

const MAYBE_ANY =
  /(?:rename-command|:(?:587|465|2?525?) | on [^>\n]{0,32}>|chpasswd:|pptpd|l2tp|pppd| "?\*"? |password-?(?:command|eval)|-cli |smbclient|isql |using |-u |upwd |:password |put-|create-secret|secrets? |printf |mosquitto_p|net use|runas|rabbitmqctl|wpa_pass|htpasswd|mc |rclone|secret-set-value |_pw |unseal |-setairport|sec\.psk |auth-user-pass |password |ascii-text |priv |snmp-server|enable |ACL SET|iwconfig|configure|bw |SecureString|davfs2|sqlplus|sqlcl|sqlldr|impdp|expdp|rman |rootpw|name |-server |isakmp|key-string|neighbor |addauth|identify|qpdf|encrypt_string|-key |-psk |community |define |aaa-server|adius|acacs|redentials|redencia|redenzia|dentifiant|sdaten|dedaten|nloggeg|\/pass|[Ll]og[ -]in|[Ss]ign[ -]in|IDENTIFY|enticat|ogged|igned|igning|user\w*=|revoke |echo |printf |[Ll]ogin |auth[ :]|token |config |set |<<<|AUTH[" ]|PASS |LOGIN )/

/** A line of `chap-secrets`: who, for what server, the secret, from where. */
const CHAP =
  /((?:^|\n|\\n)[ \t]{0,8}"?[\w.@\\-]{1,64}"?[ \t]{1,16}(?:\*|pptpd|x?l2tpd?|pppd|"\*")[ \t]{1,16}"?)([^\s"*]{4,128})(?="?[ \t]{1,16}"?(?:\*|\d{1,3}(?:\.\d{1,3}){3})"?[ \t]{0,8}(?:$|[\r\n]|\\n))/g

/** A line of `sasl_passwd`: host, port, and user and password. */
const RELAY =
  /((?:^|[\n\s])\[?[\w.-]{1,128}\]?:(?:587|465|25|2525)[ \t]{1,16}[\w.@+-]{1,128}:)([^\s:"']{4,128})(?=[ \t]{0,8}(?:$|[\r\n]|\\n))/g

export function scrubPlaced(text: string, onFound: (rule: string, value: string) => void): string {
  if (!MAYBE_ANY.test(text)) return text
  const take = (isSecret: (value: string) => boolean) => (whole: string, before: string, value: string) => {
    const bare = value.replace(/["'`)\].,;]{1,4}$/, '')
    if (
      value.includes('[Filtered') ||
      value.startsWith('$') ||
      isPlaceholder(bare) ||
      isHarmlessWord(value) ||
      !isSecret(value)
    )
      return whole
    onFound('password', value)
    return before + FILTERED
  }
  let out = text
  if (/[ \t]"?(?:\*|pptpd|l2tpd?|pppd)/.test(out))
    out = out.replace(
      CHAP,
      take((value) => /\d/.test(value)),
    )
  if (/:(?:587|465|25|2525) /.test(out))
    out = out.replace(
      RELAY,
      take(() => true),
    )
  if (MAYBE_PLACED.test(out))
    out = out.replace(
      PLACED,
      take((value) => /\d|[^\w]|[a-z][A-Z]/.test(value) || isChosen(value)),
    )
  if (out.includes('<<<'))
    out = out.replace(HERE_STRING, (whole: string, before: string, _quote: string, value: string) => {
      if (
        value.includes('[Filtered') ||
        !/(?:zfs|sudo|kinit|bw|op|pass|passw|crypt|gpg|login|luks|vault|ssh|key)/i.test(out)
      )
        return whole
      onFound('password', value)
      return before + FILTERED
    })
  if (/(?:echo|printf) /.test(out))
    out = out.replace(
      PIPED,
      take(() => true),
    )
  if (MAYBE_SIGNING_IN.test(out)) out = out.replace(SIGNING_IN, take(looksIssued))
  if (MAYBE_SIGNED_IN.test(out))
    out = out.replace(SIGNED_IN_AS, (whole: string, before: string, value: string) => {
      const name = /([A-Za-z]+): ?$/.exec(before)?.[1]
      // `authentication method: publickey`
      return name !== undefined && ASPECT.test(name) && isChosen(value)
        ? whole
        : take(isSignedIn)(whole, before, value)
    })
  if (/(?:AUTH["']?|PASS|LOGIN|IDENTIFY) /.test(out))
    out = out.replace(
      PROTOCOL,
      take((value) => /\d/.test(value) && /[A-Za-z]/.test(value)),
    )
  return out
}

/** Words about signing in. */
const ASPECT =
  /^(?:methods?|type|mode|scheme|provider|strategy|mechanism|flow|backend|plugin|source|status|state|result|level|server|endpoint|header|driver|guard|module|service|reason|error)$/i

function isSignedIn(value: string): boolean {
  return isChosen(value) || (/\d/.test(value) && /[A-Za-z]/.test(value) && !/^v?\d+(?:\.\d+)+/.test(value))
}

/** `['mysql', '-pX']`: a command as programs tell what they started. */
const LISTED = /(?<![\w"'])(["'])([\w./-]{2,64})\1((?:\s{0,2},\s{0,2}\[?(["'])[^"'\n]{0,512}\4){1,32})/g
const LISTED_ARGUMENT = /(["'])([^"'\n]{0,512})\1/g

export function scrubListed(text: string, onFound: (rule: string, value: string) => void): string {
  if (!/["'],\s{0,2}\[?["']-/.test(text)) return text
  return text.replace(LISTED, (whole: string, ...groups: string[]) => {
    const [, name = '', rest = ''] = groups
    if (optionsOf(name) === undefined) return whole
    const list: string[] = [name]
    const scrubbed = rest.replace(LISTED_ARGUMENT, (one: string, quote: string, argument: string) => {
      list.push(argument)
      const secret = secretArgument(list, list.length - 1)
      if (secret === null || secret === '' || isPlaceholder(secret) || secret.startsWith('$')) return one
      onFound('password', secret)
      return quote + argument.slice(0, argument.length - secret.length) + FILTERED + quote
    })
    return whole.slice(0, whole.length - rest.length) + scrubbed
  })
}

/** The same of arguments in a list; `null` when that one holds no secret. */
export function secretArgument(list: readonly unknown[], at: number): string | null {
  const [name] = list
  const argument = list[at]
  const before = list[at - 1]
  if (at === 0 || typeof name !== 'string' || typeof argument !== 'string' || typeof before !== 'string')
    return null
  // As Python shows a text: within quotes.
  const shown = /^'([^'\n]{1,512})'$/.exec(argument)?.[1]
  if (shown !== undefined && /^'[^'\n]{1,512}'$/.test(before)) {
    return secretArgument([unshown(name), ...list.slice(1, at).map(unshown), shown], at)
  }
  const options = optionsOf(name)
  if (options?.within !== undefined && !list.includes(options.within)) return null
  const start = options === undefined ? besideOption(list, at) : secretAt(options, argument, before)
  return start === -1 || argument.slice(start) === FILTERED ? null : argument.slice(start)
}

const unshown = (one: unknown): unknown =>
  typeof one === 'string' && one.length <= 512 ? one.replace(/^'(.*)'$/, '$1') : one

/** Users and groups of containers are numbers or words. */
const NAME_AND_SECRET = /^[^\s:]{1,128}:(?=.{0,255}[A-Za-z])(?=.{0,255}[^A-Za-z])\S{4,256}$/

/** `-u`, `bob:X` of arguments whose command stands elsewhere; `login`, `-p`, `X` of any command. */
function besideOption(list: readonly unknown[], at: number): number {
  const [argument, before] = [String(list[at]), list[at - 1]]
  if (typeof before !== 'string' || argument.startsWith('-')) return -1
  if (PASSWORD_OPTIONS.test(before))
    return isMade(argument, 'password') &&
      !PORTS.test(argument) &&
      list.some((one) => typeof one === 'string' && SIGNING.test(one))
      ? 0
      : -1
  if (before !== '-u' && before !== '--user' && before !== '--proxy-user') return -1
  return NAME_AND_SECRET.test(argument) ? argument.indexOf(':') + 1 : -1
}

/** A word or an option that signs in. */
const SIGNING = /^(?:log-?in|sign-?in|auth\w{0,8}|connect|-[uU]|--?user(?:name)?(?:=.{1,64})?|--login)$/
