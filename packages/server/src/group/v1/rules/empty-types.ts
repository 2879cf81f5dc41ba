/**
 * Part of grouping version 1. Types that say nothing of what failed, and come with the stack of whoever reports: the message
 * decides beside the stack.
 */
import type { Family } from './families.ts'

export interface EmptyTypeRule {
  readonly families: readonly Family[]
  readonly what: string
  readonly type: RegExp
  /** `init`: the error has a stack of its own, which says nothing only where it was made before the app ran. */
  readonly stack: 'reporter' | 'init'
  readonly examples: readonly string[]
  readonly source: string
}

export const EMPTY_TYPE_RULES: readonly EmptyTypeRule[] = [
  {
    families: ['go'],
    what: 'error that carries where it was made: a variable of the package was made in its `init`',
    type: /^\*?(?:errors\.(?:fundamental|withStack|Error|stackErr|errorStack)|withstack\.withStack|xerrors\.(?:errorString|wrapError|noWrapError)|eris\.(?:rootError|wrapError)|oops\.OopsError|tracerr\.errorData|merry\.\w{1,40}|errorx\.Error|errs\.errorT|trace\.TraceErr)$/,
    stack: 'init',
    examples: ['*errors.fundamental', '*withstack.withStack', '*xerrors.wrapError'],
    source: 'github.com/pkg/errors; cockroachdb/errors; sentry-go, stacktrace.go: ExtractStacktrace',
  },
  {
    families: ['go'],
    what: 'error of a text',
    type: /^\*?(?:\w{1,80}\.)?(?:errorString|wrapErrors?|joinError|joinErrors|leafError|opaque\w{0,40}|withMessage|withPrefix|withNewMessage|withSecondary|baseError|prefixError|multiError|PermanentError|string|constError)$/,
    stack: 'reporter',
    examples: [
      '*errors.errorString',
      '*fmt.wrapError',
      '*fmt.wrapErrors',
      '*errors.joinError',
      '*errors.withMessage',
    ],
    source: 'go, errors/errors.go, errors/join.go, fmt/errors.go; sentry-go, NewStacktrace',
  },
  {
    families: ['go'],
    what: 'the only error type of a package: its name is the package’s',
    type: /^\*?\w{1,80}\.(?:[eE]rr|[eE]rrors?|HTTPError|StatusError|statusError|APIError|ApiError|RequestError|ResponseError)$/,
    stack: 'reporter',
    examples: ['*status.Error', '*pq.Error', '*url.Error', '*echo.HTTPError'],
    source: 'google.golang.org/grpc/internal/status; lib/pq; net/url; labstack/echo',
  },
  {
    families: ['go'],
    what: 'standard library and drivers: the type says which operation, not what was wrong',
    type: /^\*?(?:net\.\w{0,40}Error|(?:fs|os)\.(?:PathError|SyscallError|LinkError)|syscall\.Errno|exec\.ExitError|strconv\.NumError|json\.\w{1,40}Error|xml\.\w{1,40}Error|tls\.\w{1,40}|x509\.\w{1,40}|http\.\w{1,40}Error|textproto\.\w{1,40}Error|pgconn\.\w{1,40}|mysql\.MySQLError|mssql\.Error|mongo\.\w{1,40}|proto\.RedisError|awserr\.\w{1,40}|smithy\.\w{1,40})$/,
    stack: 'reporter',
    examples: ['*net.OpError', '*fs.PathError', '*pgconn.PgError', '*mysql.MySQLError'],
    source: 'go, net, io/fs, syscall; jackc/pgx, pgconn; go-sql-driver/mysql; aws-sdk-go',
  },
  {
    families: ['native'],
    what: 'Rust: an error of a text, or of any type',
    type: /^(?:(?:anyhow|eyre|failure|miette)::(?:Error|Report)|(?:alloc::string::)?String|&?(?:'static )?str|StringError|Box<dyn .{1,80}>|ErrorMessage|MessageError)$/,
    stack: 'reporter',
    examples: ['anyhow::Error', 'alloc::string::String'],
    source: 'anyhow, src/error.rs; eyre; sentry-rust, sentry-anyhow',
  },
  {
    families: ['native'],
    what: 'Rust: any panic, in whichever closure of a function',
    type: /^panic$/,
    stack: 'reporter',
    examples: ['panic'],
    source: 'sentry-rust, sentry-panic; rust, library/core/src/panicking.rs',
  },
  {
    families: ['csharp'],
    what: 'Unity: what the SDK calls a line of the log',
    type: /^(?:UnityEngine\.)?Log(?:Exception|Error|Assertion|Assert|Warning)?$/,
    stack: 'reporter',
    examples: ['LogException', 'LogError', 'LogAssertion'],
    source: 'sentry-unity, UnityLogEventFactory.cs; Unity, UnityEngine.LogType',
  },
]

/** The row that a type is of; `null` for one that says something. */
export function emptyType(type: string, family: Family): EmptyTypeRule | null {
  if (family !== 'go' && family !== 'csharp' && family !== 'native') return null
  return EMPTY_TYPE_RULES.find((rule) => rule.families.includes(family) && rule.type.test(type)) ?? null
}
