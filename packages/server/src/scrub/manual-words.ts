/**
 * Words of manuals, logs and source, beside those of `ordinary.ts`: counted in the documentation of some hundred packages. No
 * endings: `appends` and `appended` are `append`.
 */
import { isOrdinary } from './ordinary.ts'

const WORDS: ReadonlySet<string> = new Set(
  `differ mismatch mandatory forgot typed abgelaufen abnormal abort absolute absorb abstract abuse accessor accumulate accumulator accuracy accurate achieve acorn
  across activate adapt addon adheres adjust advertised advice affect afterwards aggregate agnostic agree ahead align alike
  allocate almost alone along alongside alpha alphabet alternate although among amount analysis analytics analyze ancestor
  anchor android angle annotate answer anyone anyway anywhere apache apart appear append appendix approach appropriate
  approximate architecture arethetypeswrong around arraybuffer arrow article artifact ascii aside aspect assert assessed asset
  assign assist associate assume asterisk asymmetric async atime atomic atoms attach attack audio audit author autocomplete
  autogenerate avatar avoid await aware azure babel background backlog backoff backpressure backslash backtrack backward badge
  badgen banner basedir baseline basename basis became become began behave behavior behaviour believe belong bench benchmark
  benefit benutzer benutzername besides bigger bigint bitmap bitwise blockquote blueoakcouncil bootstrap border bound brace
  bracket branch brand bridge brightgreen broadcast broke browse browserify bubble bucket budget bugfixes buggy builtin bunch
  bundle bundlephobia bypass bytea calculate calendar callbackfn callee camel camelcase cancel candidate candle caniuse canvas
  capital capitalize capture caret carrier carry catalog catch caught cause caveat certain certificate changelog channel
  character charge charset cheap checkbox checkout checksum children chmod choose chosen chown chrome chromium chunk ciphers
  circle circuit circular claim clamp classic classifier clause cleanup click clock clone closest closure cloud cloudflare
  codebase codec codecov codegen coerce coercion coincide colgroup collapse collect collector collide colon color combinator
  combine comma commit commonjs communicate compact company comparator compare comparison compat complain compose composite
  compound compress compute concat concatenate concept concern concrete concurrency configmap configure conform confused
  consider consist consistency constrain constraint construct constructor consult consume contact contextual contract contrast
  contribute contributor control convert coordinate copyright corner correspond couldn counterpart country course cover
  coveralls crash crawl creator credit criteria cross crossorigin crypt crypto cryptographic ctime currency cursor curve
  customers customize cycle cyclic darwin dataset datatracker datetime david deadline debugger decide decimal declare decompress
  decorate decorator decrease decrypt dedupe define deflate delegate delimiter delivery delta demand demonstrate denote depend
  dependency deploy deprecate describe descriptor design despite destroy detach detect detector determine deterministic develop
  devtools diagnostic differentiate difficult digit digital direct dirname disagree disallows disambiguate discard disclaimer
  disclosure disconnect discord discover discovery discrete discriminator dispatch disposal dispose distinct distinguish
  distribute docker dollar dotfile double downstream drain drawn drift duplex duplicate dynamic earlier easier easiest
  ecmascript ecosystem editor effect efficiency effort eight eingeben ellipsis elsewhere emitter emoji encapsulates enclosed
  encodeurl encounter encrypt endian endregion enforce enqueue enterprise entire entrypoint envelope epoberezkin epoch eqeqeq
  equiv errata errno esbuild eslint esnext establish estimate estree evaluate everyone everywhere evict excess exchange exclude
  execute executor exhaust expand expect experimental explain explicit exploit explorer expose express expressjs extend extglob
  extname extract factor fallback fallthrough falsy fancy fashion fastest fastify favor feedback fieldset figure filename
  filepath filesystem finalize fingerprint finite firefox fixture flatten flavor flight float floor flush focus foobar footer
  footprint forbid foreground forget formatter forward fourth framework freebsd freeze frequency front frontend frozen funds
  further furthest future garden gather generate gesperrt getter gitignore global gmail grade granular graph graphql great
  grinder grown growth guarantee guess guidelines gunzip halves handbook handshake handy happen happy hardware haven health
  heavy height hello hereby heuristic hexadecimal hierarchy highest highlight histogram hoist holes horizontal hostname hover
  human hybrid hyphen iconv ideal identify ideographic iframe illegal immediate impact implicit improve inbound include
  incomplete increase incremental indeterminate indicate indices individual inert infinite inflate inform infringe inherit
  initialize initiate inject inline inner innermost inset inspector install instanceof instantiate integrate intend interact
  intercept interceptor interfere interior intermediate internet interpret interrupt intersect intrinsic intro introduce
  invalidate inverse invert invoke isaacs isolate istanbul italic iterate iterator javascript jridgewell jsdoc jshttp
  jsonwebtoken justify kaboom kafka kebab keepachangelog kernel keyboard keyframes keygen keyof knowledge koajs lambda large
  largest latency latin latter lchown learn leave legal legitimate letter license lifecycle lifetime lightweight linear linkcode
  linux listen little ljharb locale locate lockfiles lodash logger longest lookahead lookbehind loopback loose lowercase lowest
  lstat lutimes machine machinery mafintosh magic mailto maintain major manifest manipulate manner margin markdown mathiasbynens
  matrix maybe mcollina meantime measure media median memoize menuitem merge metric micro microsecond migrate million
  millisecond mimic minify minimal minimatch minimize minor minus minzip mirror mismatch mistaken mixin mkdir mkdtemp mobile
  modal modern modifier modify modulepreload modulo modulus mongodb monorepo monospace month mount mouse movie mozilla mtime
  multi multiline multipart multiplier mutate mutual namespace nanoid nanosecond narrow nature navigate navigator nearest needle
  negate neither neostandard nestjs netlify newest nginx nocase nodei nodejs noise nonce nonzero normalize noscript nosniff
  notify nowhere npmignore npmjs nullish obscure observe occur octal octet oldest olvidada onclose onend onerror openai openapi
  openbsd opendir openid opensource openssl opentelemetry opentype operand operate opposed opposite optimal optimize osxkeychain
  otherwise ourselves outbound outcome outermost outline outlook output outright overall overhead overlap overline overload
  overridden overview overwrite overwritten oxlint paint panva parallel parens parentheses parenthesis parseurl participate
  particular party passthrough passwd patch pathname pause penalty percentile perfect perform persist phone picocolors picomatch
  picture pillarjs pinojs pipeline pixel platform polyfill ponyfill popover popular populate posix postcss postfix postscript
  power practice preamble precise predicate prefer prefetch preload prelude premature prepare prepend preprocess preserve preset
  pressure prettier pretty prime principal printf prioritize privacy privileges probe procedure produce product program promise
  promisify promote prone proof propagate proposal proposed protect proto prototype proves provide prune pseudo punct punctuator
  punycode purge purpose python qualifier quasi quiet quite radio radius radix raise ratio reach react readdir readline readlink
  readme realistic realpath reassign rebase rebuild rebuilt recipe recognize recommend reconstruct recurse redact redeclare
  redefine reduce refactor referrer refill reflect refuse regenerate regexp regular relay remain remainder remarks remember
  remix removal replay replicate reproduce research reserves resize resolve resort respect respond restrict retain rethrow
  retrieval retrieve reverse revert rewrite rewritten rmdir robust rolldown rollup runkit runner runtime safari safety sandbox
  sanitize satisfy sauce scalar scale scanner scenario schedule score scorecard scratch scroll scrollbar semantic semicolon
  semver sense sentinel sentry separator serialize serif serve servername settle shadow shake shall shallow shape shebang shift
  shortcut shortest shorthand shouldn shrink shutdown signup simplest simplify simulate sindresorhus singleton singular slash
  sleep slice sloppy small smallest smart snapshot socket software solid solve somehow somewhat somewhere sorry sourcemap sparse
  spawn specifier specify sponsor spread square srcset stackoverflow stacktrace stamp stand standalone standardjs startup
  statistics stderr stdin stdio stdout sticky straight strategy stretch strikethrough stringifier stringify strip stripe stroke
  struct stuck stuff stylesheet subclass subdomain sublicense subnet subpath subschema subscribe subset substack subtle subtract
  subtree subtype sunos superset supposed suppress surface surrogate suspend swallow symbolic symlink symmetric syscall taken
  tarball tbody tchar teardown telemetry terminate terminator terminology textarea textual tfoot tfpocch thank thead themselves
  think third thought thousand threat threshold threw throughput throw thrown tidelift tilde timeline timestamp timezone
  tokenize topic touch towards track trade traffic trail transfer transform translate transpile traversal traverse travis treat
  trick tricky trigger triples truncate trunk trust truth truthy tsconfig tslib tuple twitter typedef typeof typescript udfff
  ufeff unbound uncaught uncompressed undef underline underscore understand understood undici unescape unicode uniform union
  universal unlink unload unparsed unpipe unpkg unref unsafe unshift unsubscribe unused unwrap unzip update upload uppercase
  upstream userinfo userland usual usuario utilisateur utilize utimes validate valign variety vbscript vector vendor verbatim
  verbose vercel vergessen verifier verletzt versa versionbadg viewport virtual visit vitejs volume vscode warranty webcrypto
  webkit webpack websocket weight weird welcome whatever whatwg whenever whereas wherever whichever whitespace width wildcard
  workaround workflow workspace world worry worse worst worth wouldn writev written xffff xffffffff xhtml xmlns yandex yellow
  yield yourself`.split(/\s+/),
)

const ENDINGS = ['s', 'es', 'd', 'ed', 'ing', 'ly', 'er', 'r']
const STEM_CHARS_MIN = 3

/** True for a word that programs and those who write about them use. */
export function isOfManuals(word: string): boolean {
  const low = word.toLowerCase()
  if (isKnown(low)) return true
  return ENDINGS.some((ending) => {
    if (!low.endsWith(ending) || low.length < ending.length + STEM_CHARS_MIN) return false
    const stem = low.slice(0, -ending.length)
    return isKnown(stem) || isKnown(`${stem}e`)
  })
}

function isKnown(low: string): boolean {
  return WORDS.has(low) || isOrdinary(low)
}
