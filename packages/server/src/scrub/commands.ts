/** Options of commands that hold secrets under names too short to tell: `mysql -pX`, `redis-cli -a X`, `curl -u a:X`. */
import { FILTERED } from './filtered.ts'

interface Command {
  readonly names: string
  /** The value is the next argument, or follows `=`. */
  readonly flags: string
  /** The value may be written on to this flag. */
  readonly glued?: string
}

const COMMANDS: readonly Command[] = [
  {
    names: 'mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlsh mariadb mariadb-dump',
    flags: '',
    glued: '-p',
  },
  { names: 'sshpass', flags: '-p', glued: '-p' },
  { names: '7z 7za 7zz', flags: '', glued: '-p' },
  { names: 'redis-cli valkey-cli keydb-cli', flags: '-a' },
  { names: 'mongo mongosh mongodump mongorestore mongoexport mongoimport', flags: '-p' },
  { names: 'docker podman nerdctl helm buildah skopeo az oc', flags: '-p' },
  { names: 'ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd', flags: '-w' },
  { names: 'sqlcmd bcp isql osql', flags: '-P', glued: '-P' },
  { names: 'zip unzip zipcloak', flags: '-P', glued: '-P' },
  { names: 'curl http https wget xh', flags: '-u --user -U --proxy-user --auth' },
  { names: 'smbclient rpcclient', flags: '-U' },
  { names: 'keytool jarsigner', flags: '-storepass -keypass -srcstorepass -deststorepass' },
  { names: 'openssl', flags: '-pass -passin -passout -k -K' },
  { names: 'snmpwalk snmpget snmpset', flags: '-c -A -X' },
  { names: 'lftp ncftp', flags: '-p -u' },
  { names: 'vault gh heroku npm yarn firebase', flags: '--token --otp' },
]

const COMMAND_OF: ReadonlyMap<
  string,
  { readonly flags: ReadonlySet<string>; readonly glued: string | null }
> = new Map(
  COMMANDS.flatMap(({ names, flags, glued }) =>
    names
      .split(' ')
      .map(
        (name) =>
          [
            name,
            { flags: new Set(flags.split(' ').filter((flag) => flag !== '')), glued: glued ?? null },
          ] as const,
      ),
  ),
)

type Options = NonNullable<ReturnType<typeof COMMAND_OF.get>>

/** Arguments of a shell, quotes included. */
const ARGUMENT =
  /[^\s"'|;&]{1,4096}(?:"[^"\n]{0,4096}"|'[^'\n]{0,4096}')?|"[^"\n]{0,4096}"|'[^'\n]{0,4096}'|[|;&]/g
const MAYBE_OPTION = /[ \t]-[a-zA-Z-]/

function optionsOf(name: string): Options | undefined {
  if (name.length > 128) return undefined
  return COMMAND_OF.get(name.replace(/^.*[\\/"'`(\]=]/, '').replace(/\.exe$/, ''))
}

/** `8080:80`, `127.0.0.1:80:80/tcp`: what `-p` of containers publishes. */
const PORTS = /^(?:\d{1,3}(?:\.\d{1,3}){3}:)?\d{1,5}(?:-\d{1,5})?:\d{1,5}/

/** Where the secret begins within `argument`, given the one before it; -1 when there is none. */
function secretAt({ flags, glued }: Options, argument: string, before: string): number {
  let at = -1
  if (flags.has(before) && !argument.startsWith('-')) at = 0
  const equals = argument.indexOf('=')
  if (at === -1 && equals > 0 && flags.has(argument.slice(0, equals))) at = equals + 1
  if (at === -1 && glued !== null && argument.startsWith(glued) && argument.length > glued.length + 1)
    at = glued.length
  if (at === -1 || PORTS.test(argument.slice(at))) return -1
  if (/["']/.test(argument[at] ?? '')) at++
  // A name before the secret stays: `bob:X`, `pass:X`, `bob%X`.
  return at + (/^[^:%\s"']{0,128}[:%]/.exec(argument.slice(at, at + 130))?.[0].length ?? 0)
}

export function scrubCommands(text: string, onFound: (rule: string, value: string) => void): string {
  if (!MAYBE_OPTION.test(text)) return text
  let out = ''
  let copied = 0
  let options: Options | undefined
  let before = ''
  for (const { 0: argument, index } of text.matchAll(ARGUMENT)) {
    options = /^[|;&]$/.test(argument) ? undefined : (optionsOf(argument) ?? options)
    const at = options === undefined ? -1 : secretAt(options, argument, before)
    before = argument
    const value = at === -1 ? '' : argument.slice(at).replace(/["']$/, '')
    if (value === '' || value.startsWith('$') || value.includes(FILTERED) || value === FILTERED.slice(0, -1))
      continue
    onFound('password', value)
    out += text.slice(copied, index + at) + FILTERED
    copied = index + at + value.length
  }
  return copied === 0 ? text : out + text.slice(copied)
}

/** The same of arguments in a list; `null` when that one holds no secret. */
export function secretArgument(list: readonly unknown[], at: number): string | null {
  const [name] = list
  const argument = list[at]
  const before = list[at - 1]
  if (at === 0 || typeof name !== 'string' || typeof argument !== 'string' || typeof before !== 'string')
    return null
  const options = optionsOf(name)
  const start = options === undefined ? -1 : secretAt(options, argument, before)
  return start === -1 || argument.slice(start) === FILTERED ? null : argument.slice(start)
}
