/**
 * Words of manuals, logs and source, beside those of `ordinary.ts`: counted in the documentation of some hundred packages. No
 * endings: `appends` and `appended` are `append`.
 */
import { isListed } from './ordinary.ts'

const WORDS: ReadonlySet<string> = new Set(
  `abandoned abgelaufen ability abnormal abort absence absolute absorb abstract abuse accent acceptable accessibility accessible
  accessor accidentally accordance according accumulate accumulator accuracy accurate achieve acknowledged acorn acquired across
  activate activities activity adapt addition additive addon adheres adjacent adjust adopted advance advantage advertised advice
  advisories advisory affect afterwards aggregate aggregation agnostic agree agreement ahead align alignment alike alive
  allocate allocation almost alone along alongside alpha alphabet alphabetic alphanumeric alternate alternative although
  ambiguity ambiguous among amount analysis analytics analyze ancestor anchor android angle animation annotate annotation
  annoying answer anyone anyway anywhere apache apart appear append appendix applicable application applied applies approach
  appropriate approximate approximation arbitrary architecture archive arithmetic arity around arraybuffer
  arrive arrow article artifact ascending ascii aside aspect assert assertion assessed asset assign assignable assignment assist
  associate assume assumption asterisk astral asymmetric async asynchronous atime atomic atoms attach attachment attack
  attestation audience audio audit augment augmentation authentication author authoritative authority authorization authorized
  autocomplete autogenerate automated automatic automatically automation availability avatar average avoid await aware azure
  babel background backlog backoff backported backpressure backslash backtrack backward badge badgen balance banner basedir
  baseline basename basically basis became become began beginning behave behavior behaviour being believe belong bench benchmark
  benefit benutzer benutzername besides bigger bigint binaries bitmap bitwise blockquote bodies bookkeeping
  bootstrap border bound boundaries boundary brace bracket branch brand bridge brightgreen bring broadcast broke browse
  browserify bubble bucket budget bugfixes buggy builtin bunch bundle business bypass bytea calculate calculation
  calendar callable callbackfn callee camel camelcase cancel cancelable cancellation cancelled candidate candle caniuse
  canonical canvas capabilities capability capable capacity capital capitalize capped caption capture careful caret carriage
  carried carrier carries carry catalog catch categories category caught cause caution caveat central certain certificate
  chainable chance changelog channel character charge charset cheap checkbox checkout checksum children chmod choose chosen
  chown chrome chromium chunk ciphers circle circuit circular circumstances claim clamp classic classification classifier clause
  cleanup click clock clone closest closure cloud cloudflare codebase codec codecov codegen coerce coercion coincide colgroup
  collapse collect collection collector collide collision colon color combination combinator combine comma commercial commit
  committed commonjs communicate communication community compact companies company comparator compare comparison compat
  compatibility compatible compilation complain complement completeness completion complexity compliance compliant complicated
  complied compose composite composition compound compress compression computation compute concat concatenate concatenation
  concept concern concrete concurrency concurrent condition conditional confidence configmap configurable configuration
  configure confirmation conform confused confusing confusion conjunction connection consecutive consequence consequent consider
  considerations consist consistency consistent constant constrain constraint construct construction constructor consult consume
  consumption contact contextual contiguous continuation continuous contract contrast contribute contribution contributor
  control controlled controlling convenience convenient convention conversion convert cooked coordinate copied copies copyright
  corner correctness correspond corruption couldn counterpart country course cover coverage coveralls crash crawl creator credit
  criteria critical cross crossorigin crypt crypto cryptographic cryptographically ctime cumulative currency cursor curve
  customers customization customize cycle cyclic dangerous darwin dataset datatracker datetime david davidmarkclements deadline
  debugger debugging decide decimal decision declaration declare decompress decorate decoration decorator decrease decrement
  decrypt decryption dedicated dedupe deduplicated deduplication deemed defensive deferred define definitely definition deflate
  delegate deletion deliberately delimited delimiter delivery delta demand demonstrate denial denote depend dependencies
  dependency dependent deploy deployment deprecate deprecation derive descendant descending describe description descriptive
  descriptor deserialization deserialized design desirable desired despite destination destroy destructive destructuring detach
  detect detection detector determine deterministic develop deviation devtools diagnostic differ difference differentiate
  difficult digit digital dimension dimensional direct direction directive directories dirname disagree disallowed disallows
  disambiguate discard disclaimer disclosure disconnect discord discouraged discover discovery discrete discretion discriminant
  discriminator discussion dispatch disposable disposal dispose disposition distance distinct distinguish distribute
  distribution divergence divided division docker documentation doing dollar dotfile dotted double downstream drain drawn drift
  drive dropped dropping duplex duplicate duration dynamic dynamically earlier easier easiest easily ecmascript ecosystem editor
  effect effective efficiency efficient effort eight eingeben ellipsis elsewhere embed embedded emitted emitter emitting emoji
  empties encapsulates enclosed enclosing encodeurl encounter encourage encrypt endian endregion enforce engineering enhance
  enqueue enterprise entire entities entity entrypoint enumerable enumeration envelope environment epoberezkin epoch eqeqeq
  equality equiv equivalent errata errno esbuild eslint esnext especially essential establish estimate estree evaluate
  evaluation eventually everyone everything everywhere evict evidence exceed exception excess excessive exchange exclude
  exclusion exclusive executable execute execution executor exhaust exhaustion exhaustive existence existent expand expansion
  expect expensive experience experiment experimental expiration explain explanation explicit exploit explorer exponent
  exponential expose express expressjs extend extensible extglob extname extract extractable extraction extraneous extremely
  factor factories factory fallback fallthrough falsy families family fancy fashion fastest fastify favor feedback fieldset
  figure filename filepath filesystem finalize financial fingerprint finite firefox fixture flagged flatten flavor flexibility
  flexible flight float floor flush focus foobar footer footprint forbid foreground forget forgot formatted formatter formatting
  forward fourth fraction fractional fragment framework freebsd freeze frequency frequently friendly front frontend frozen
  fulfilled fully functional functionality funding funds furnished further furthest future garden gather general generate
  generation genuinely gesperrt getter getting gitignore global gmail going governing graceful grade granular graph graphql
  great greeting grinder grown growth guarantee guess guidance guidelines gunzip gzipped halves handbook handful handshake handy
  happen happy hardware haven headless health heavily heavy height hello helpful hereby heuristic hexadecimal hierarchy highest
  highlight histogram historical hitting hoist holes homepage hopefully horizontal hostname hover httponly human hybrid hyphen
  iconv ideal idempotent ident identification identified identifies identify ideographic iframe illegal immediate immutable
  impact implement implementation implicit implied implies impossible improve improvement inadvertently inbound include
  inclusion inclusive incoming incompatible incomplete inconsistencies inconsistent increase increment incremental indefinitely
  indent indentation independent indeterminate indicate indices individual inert inference inferred infinite infinity inflate
  inform information informational infringe inherit inheritance initial initialization initialize initiate inject injection
  inline inner innermost insensitive insertion inset inspection inspector inspired install installation instanceof instantiate
  instantiation instructions instrument instrumentation integrate integration integrity intend intent intentional interact
  interaction interactive intercept interceptor interchangeable interested interfere interior intermediate international
  internet interpolated interpolation interpret interpretation interrupt intersect intersection intrinsic intro introduce
  introspection invalidate invariant inverse invert invocation invoke involved involving isaacs isolate isolation issuecomment
  istanbul italic iterable iterate iteration iterative iterator javascript jridgewell jsdoc jshttp jsonwebtoken justify kaboom
  kafka kebab keepachangelog keepalive kernel keyboard keyframes keygen keyof knowledge koajs lambda large largest latency latin
  latter lazily lchown learn leave legal legitimate lenient letter letting liability liable libraries license lifecycle lifetime
  lightweight limitation linear linkcode linux listen little ljharb locale localized locate location lockfiles lodash logged
  logger logging logical longest lookahead lookbehind loopback loose lowercase lowest lstat lukeed lutimes machine machinery
  mafintosh magic mailto maintain maintenance major majority malicious manage management mandatory manifest manipulate
  manipulation manner mapped margin markdown mathematical mathiasbynens matrix maybe mcollina meaningful meant meantime measure
  measurement mechanism media median membership memoize mentioned menuitem merely merge metric micro microsecond migrate million
  millisecond mimic minification minified minify minimal minimatch minimize minor minus minzip mirror mismatch mistaken mixin
  mkdir mkdtemp mobile modal modern modification modified modifier modifies modify modulepreload modulo modulus moment mongodb
  monorepo monospace month motion mount mouse movie mozilla mtime multi multiline multipage multipart multiplier multiply
  mutable mutate mutation muted mutual naive namespace nanoid nanosecond narrow natural nature navigate navigation navigator
  nearest necessarily necessary needle negate negation negative negotiation neither neostandard nestjs netlify neutral newest
  nginx nocase nodei nodejs noise nonce nonexistent nonzero normalization normalize noscript nosniff notable notation
  notification notifies notify nowhere npmignore npmjs nullable nullish numeric numerical obligations obscure observability
  observable observation observe obvious occur occurred occurrence octal octet official oldest olvidada omitted omitting onclose
  onend onerror ongoing onmessage opacity openai openapi openbsd opencollective opendir openid opensource openssl opentelemetry
  opentype operand operate operation opposed opposite optimal optimization optimize ordinal ordinary organization orientation
  oriented original originated originating osxkeychain otherwise ourselves outbound outcome outdated outermost outgoing outline
  outlive outlook output outright overall overhead overlap overlapping overline overload overridden oversized overview overwrite
  overwritten ownership oxlint package padded padding paint panva parallel parens parentheses parenthesis parity parseable
  parseurl partial participate particular partition party pascal passive passthrough passwd patch patent pathname pause payment
  penalty pending percentage percentile perfect perform performance performant periodically permissive permitted persist
  persistent personal perspective phone physical picocolors picomatch picture pillarjs pinned pinojs pipeline pixel platform
  pollution polyfill ponyfill popover popular populate portable portion position positional positive posix possibility possible
  possibly postcss postfix postscript potential power practical practice preamble precedence preceding precise precision
  predefined predicate predictable prefer preferable preference preferred prefetch preload prelude premature preparation prepare
  prepend preprocess presence preserve preset pressure prettier pretty primarily prime primitive principal printable printf
  priorities prioritize priority privacy privileges probability probe problematic procedure produce product program programmatic
  programmatically programming promise promisified promisify promote prone proof propagate properties proposal proposed protect
  protection proto prototype proves provide proxied proxies prune pseudo publication punct punctuator punycode purge purpose
  python quadratic qualified qualifier quality quantity quasi queries querystring question quiet quite radio radius radix raise
  ratio reach reachable react readability readable readdir readline readlink readme realistic realpath reasonable reasonably
  reassign reassignment rebase rebuild rebuilt receive recent recipe recipient recognize recommend recommendation reconstruct
  recoverable recurse recursion recursive redact redaction redeclare redefine redirection reduce redundant refactor referral
  referred referrer refill reflect refuse regarding regardless regenerate regexp registration registries regression regular
  rejection relationship relative relaxed relay relevant reliable reliably relies remain remainder remarks remember remix
  removal replacement replay replicate replies reply repositories repository represent representable representation reproduce
  research reserved reserves resize resolution resolve resort respect respective respond responsibility responsible restrict
  restriction retain rethrow retried retrieval retrieve reusable reverse revert revision revocation rewrite rewritten rmdir
  robust rolldown rolled rollup roughly runkit runnable runner runtime safari safety sandbox sanitize satisfied satisfies
  satisfy sauce scalar scale scanned scanner scanning scenario schedule score scorecard scratch scroll scrollbar seamless
  secondary selection semantic semicolon semver sense sensible sensitivity sentences sentinel sentry separator sequential serial
  serializable serialization serialize series serif serve servername settle severity shadow shake shall shallow shape shebang
  shift shipped shipping shortcut shortest shorthand shouldn shrink shutdown shutting sibling significant signup silence
  simplest simplicity simplified simplifies simplify simply simulate simultaneously sindresorhus singleton singular situation
  skipped skipping slash sleep slice slightly sloppy small smallest smart snapshot socket software solely solid solution solve
  somehow somewhat somewhere sorry sourcemap sparse spawn specialized specifically specification specified specifier specifies
  specify speed spelled spelling spent splitting sponsor spread square srcset stability stable stackoverflow stacktrace stamp
  stand standalone standardized standardjs startup stateful stateless statement statically statistics stderr stdin stdio stdout
  sticky stopped stopping straight strategies strategy stretch strikethrough stringified stringifier stringify strip stripe
  stripped stripping stroke struct structural stuck stuff stylesheet subclass subdomain sublicense submitted submitting subnet
  subpath subschema subscribe subscription subsequent subset substack substantial substitution substring subtle subtract
  subtraction subtree subtype succeed sufficient suggested suggestions suitable summary summed sunos superset supplied supplies
  supply supposed suppress surface surrogate surrounding survive suspend swallow swapped symbolic symlink symmetric synchronous
  synthetic syscall tagged taken tarball tbody tchar teardown technical tedious telemetry temporarily terminate termination
  terminator terminology textarea textual tfoot tfpocch thank thead themselves thenable theory think third thought thousand
  threat threshold threw throttling throughput throw thrown tidelift tilde timeline timestamp timezone tokenize tolerance
  tolerant topic touch towards track trade traditional traffic trail transaction transfer transferred transform transformation
  transient transition transitive translate translation transmission transmitted transmitting transparent transpile traversal
  traverse travis treat treatment triage trick tricky tried trigger trimmed triples trivial truncate truncation trunk trust
  truth truthiness truthy tsconfig tslib tuple tutorial twitter typed typedef typeof typescript typical udfff ufeff ultimately
  unable unaffected unambiguous unauthenticated unauthorized unavailable unbound uncaught unchanged uncompressed unconditionally
  undeclared undef underline underlying underscore understand understood undici unencoded unescape unexpected unfinished
  unhandled unicode unified uniform unintended union universal unlimited unlink unload unmatched unmodified unnecessary unneeded
  unpaired unparsed unpipe unpkg unpredictable unquoted unreachable unrecognized unref unregistered unrelated unresolved unsafe
  unshift unsigned unspecified unsubscribe unsupported unterminated untouched untrusted unusable unused unwanted unwrap
  unwrapped unzip update upload uppercase upstream urlencoded usable usage useful useless userinfo userland usual usuario
  utilisateur utilities utility utilization utilize utimes validate validation validity valign variant variation variety various
  vbscript vector vendor verbatim verbose vercel vergessen verified verifier verletzt versa vertical viewport
  violation virtual visit vitejs volume vscode vulnerabilities vulnerability warranty webcrypto webkit webpack websocket weight
  weird welcome whatever whatwg whenever whereas wherever whichever whitespace width wildcard workaround workflow workspace
  world worry worse worst worth wouldn wrapped wrapping writable writev written xhtml xmlns yandex yellow yield
  yourself`.split(/\s+/),
)

const ENDINGS = ['s', 'es', 'd', 'ed', 'ing', 'ly', 'er', 'r']
const STEM_CHARS_MIN = 3

/** Endings of words for what is done, how, and whether it can be; few nouns share them. */
const OF_SENTENCES = /(?:[^s]ed|ing|[^l]ly|[ai]ble|ness|tions?|ments?)$/

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
  return WORDS.has(low) || isListed(low) || isListed(low.replace(/s$/, '')) || OF_SENTENCES.test(low)
}
