/**
 * Part of grouping version 1. Frames that are no call of the app though an SDK may say so: what the engine or runtime made,
 * libraries’ sources, the SDK at work, helpers that compilers write into every file. What is left and `in_app` is the app's.
 */
import type { Family } from './families.ts'

/**
 * `runtime`: nobody's file. `helper`: written by a compiler, around the app's own function. `library`: somebody else's source.
 * `reporter`: it runs between the failure and its report.
 */
export type FrameKind = 'runtime' | 'helper' | 'library' | 'reporter'

export interface FrameRule {
  readonly kind: FrameKind
  readonly families: readonly Family[] | 'all'
  readonly what: string
  /** Pattern for the file name, or for the path if there is none. */
  readonly file?: RegExp
  readonly function?: RegExp
  readonly module?: RegExp
  readonly example: string
  readonly source: string
}

export const FRAME_RULES: readonly FrameRule[] = [
  {
    kind: 'runtime',
    families: 'all',
    what: 'no call: a mark between two of them',
    file: /^<asynchronous suspension>$/,
    example: '<asynchronous suspension>',
    source: 'Dart, StackTrace; package:stack_trace',
  },
  {
    kind: 'runtime',
    families: ['javascript'],
    what: 'code of the engine',
    file: /^(?:\[?native code\]?|native|self-hosted|\[wasm code\]|<anonymous>|<computed>|<builtin>|index \d{1,9})$/,
    function: /^(?:js-to-wasm|wasm-to-js|wasm-stub)(?:$|:)/,
    example: 'Array.forEach (<anonymous>), forEach ([native code]), async Promise.all (index 0)',
    source: 'V8, stack trace API; JavaScriptCore; SpiderMonkey',
  },
  {
    kind: 'runtime',
    families: ['javascript'],
    what: 'code of Node, Deno, Bun',
    file: /^(?:node|ext|deno|bun|native|internal):|^(?:file:\/\/\/)?ext:|^internal\/[\w/]+\.js$/,
    example: 'node:internal/process/task_queues',
    source: 'Node, lib/; Deno, ext/; Bun, src/js',
  },
  {
    kind: 'runtime',
    families: ['javascript'],
    what: 'evaluated text, which has no file',
    file: /^(?:eval code|evalmachine\.<anonymous>|VM\d{1,9}|debugger eval code)$/,
    example: 'eval code',
    source: 'JavaScriptCore; Node, vm',
  },
  {
    kind: 'helper',
    families: ['javascript'],
    what: 'async functions and classes of TypeScript, Babel, SWC, regenerator',
    function:
      /^(?:Object\.|Generator\.|_?this\.)?(?:__awaiter|__generator|__async|__asyncGenerator|asyncGeneratorStep|_?asyncToGenerator|_async_to_generator|async_generator_step|_ts_generator|_regenerator\w{0,20}|tryCatch|_invoke|maybeInvokeDelegate|invokeMethod|fulfilled|rejected|_next|_throw|__callDispatch|_createSuper|_wrapNativeSuper|_construct|_applyDecoratedDescriptor|__decorate|__esDecorate|__runInitializers|__spreadArray|__importStar)(?:\d{1,3})?(?:\/<)?(?: \[as [\w ]{1,20}\])?$/,
    example: '__awaiter, asyncGeneratorStep, _next',
    source: 'TypeScript, emitHelpers; @babel/helpers; @swc/helpers; esbuild, runtime.go',
  },
  {
    kind: 'library',
    families: ['javascript'],
    what: 'extensions of the browser',
    file: /^(?:webkit-masked-url|(?:chrome|moz|safari|safari-web|ms-browser)-extension):/,
    example: 'webkit-masked-url://hidden/',
    source: 'WebKit, Source/WebCore: maskedURLForBindings; browsers, WebExtensions',
  },
  {
    kind: 'runtime',
    families: ['java'],
    what: 'reflection and method handles',
    module: /^(?:java\.lang\.(?:invoke|reflect)|(?:jdk\.internal|sun)\.reflect)\./,
    example: 'java.lang.invoke.LambdaForm$DMH/0x0000000800c03000',
    source: 'jdk, java.lang.invoke; jdk.internal.reflect',
  },
  {
    kind: 'helper',
    families: ['java'],
    what: 'code that R8 shares between methods',
    module: /\$\$ExternalSynthetic(?:Outline|BackportWithForwarding|Backport|APIConversion)\d{0,9}$/,
    example: 'com.shop.Cart$$ExternalSyntheticOutline0',
    source: 'r8, SyntheticNaming',
  },
  {
    kind: 'helper',
    families: ['native'],
    what: 'copies, thunks and witnesses of Swift',
    file: /^\/?<compiler-generated>$/,
    function:
      /^(?:(?:merged |specialized )?outlined (?:copy|consume|destroy|retain|release|assign|init|read|variable)\b|(?:reabstraction )?thunk (?:helper )?for |protocol witness for |value witness for )/,
    example: 'outlined copy of Cart',
    source: 'swift, lib/Demangling/NodePrinter.cpp',
  },
  {
    kind: 'runtime',
    families: ['lua'],
    what: 'functions of C',
    file: /^=?\[C\]$/,
    example: '[C]',
    source: 'lua, ldebug.c: funcinfo',
  },
  {
    kind: 'helper',
    families: ['javascript'],
    what: 'the loader of modules',
    function:
      /^(?:__webpack_require__|__webpack_exec__|__turbopack_\w{1,40}|__require|__commonJS|__esm|__init|webpackJsonpCallback)(?:\/<)?$/,
    example: '__webpack_require__',
    source: 'webpack, RuntimeGlobals; esbuild, runtime.go; Turbopack',
  },
  {
    kind: 'reporter',
    families: ['javascript'],
    what: 'wrappers of the SDK',
    function: /^(?:sentryWrapped|__sentry_wrapped__|sentry_wrapped)$/,
    example: 'sentryWrapped',
    source: '@sentry/browser, helpers.ts',
  },
  {
    kind: 'runtime',
    families: ['native'],
    what: 'the start of a program or thread, which another libc names otherwise; a line of a Rust backtrace that names no function',
    file: /(?:^|[\\/])(?:clone3?\.S|pthread_create\.c|libc-start\.c|libc_start_call_main\.h)$/,
    function:
      /^(?:_start|_start_c|libc_start_main_stage2|__libc_start_(?:call_)?main\w{0,10}|__clone3?|clone3|start_thread|_?thread_start|_pthread_start|BaseThreadInitThunk|RtlUserThreadStart|<unknown>|at \S{1,500}\.rs:\d{1,7}(?::\d{1,7})?)(?:$|@)/,
    example: '__libc_start_call_main',
    source:
      'glibc, csu/libc-start.c, nptl/pthread_create.c; musl, src/env/__libc_start_main.c; sentry-rust, sentry-backtrace/src/parse.rs',
  },
  {
    kind: 'reporter',
    families: ['native'],
    what: 'panic of Rust, its SDK, loggers, errors that carry where they were made',
    function:
      /^<?(?:sentry\w*::|__rustc::|rust_begin_unwind|_?rust_panic|std::panicking|core::panicking|tracing(?:_\w{1,40})?::|log::|slog(?:_\w{1,40})?::|env_logger::|log4rs::|anyhow::|eyre::|color_eyre::|failure::)/,
    example: 'rust_begin_unwind',
    source: 'rust, library/std/src/panicking.rs; sentry-rust; tracing; log; anyhow; eyre',
  },
  {
    kind: 'library',
    families: ['native'],
    what: 'sources of Rust and of crates',
    file: /\/rustc\/[0-9a-f]{7,40}\/|[\\/]\.cargo[\\/]registry[\\/]/,
    example: '/root/.cargo/registry/src/index/tokio/src/lib.rs',
    source: 'rustc, --remap-path-prefix; The Cargo Book, “Cargo Home”',
  },
  {
    kind: 'reporter',
    families: ['javascript'],
    what: 'loggers',
    file: /(?:^|[\\/])node_modules[\\/](?:\.pnpm[\\/][^\\/]{1,200}[\\/]node_modules[\\/])?(?:winston|winston-transport|pino|bunyan|log4js|loglevel|consola|signale|tslog|roarr|npmlog|electron-log|@sentry[\\/][\w-]{1,60})[\\/]/,
    function:
      /^console\.(?:log|info|warn|error|debug|trace|assert|<computed>|<anonymous>)(?: \[as \w{1,20}\])?$/,
    example: '/app/node_modules/winston/lib/winston/logger.js',
    source: 'winston; pino; bunyan; log4js; consola; @sentry/core, instrument/console.ts',
  },
  {
    kind: 'reporter',
    families: ['java'],
    what: 'loggers',
    module:
      /^(?:org\.(?:apache\.(?:log4j|logging\.log4j|commons\.logging|juli)|slf4j|jboss\.(?:logging|logmanager)|tinylog|pmw\.tinylog)|ch\.qos\.(?:logback|reload4j|cal10n)|java\.util\.logging|timber\.log|mu\.(?:internal|KLog\w{0,20}|KotlinLogging\w{0,5})|io\.github\.oshai\.kotlinlogging|com\.typesafe\.scalalogging|com\.google\.common\.flogger|play\.api\.Logg\w{1,10}|taoensso\.(?:timbre|telemere|encore\.signals)|clojure\.tools\.logging|groovy\.util\.logging|android\.util\.Log|io\.sentry)(?:[.$/]|$)/,
    example: 'org.apache.logging.log4j.spi.AbstractLogger',
    source:
      'Log4j; Logback; SLF4J; java.util.logging; JBoss Logging; Timber; kotlin-logging; scala-logging; Flogger; timbre',
  },
  {
    kind: 'reporter',
    families: ['php'],
    what: 'loggers',
    function:
      /^(?:Monolog|Psr\\Log|Sentry|Illuminate\\Log|Laminas\\Log|Cake\\Log|yii\\log|Symfony\\Bridge\\Monolog)\\/,
    file: /(?:^|[\\/])vendor[\\/](?:monolog[\\/]monolog|psr[\\/]log|sentry[\\/]sentry[\w-]{0,30}|laravel[\\/]framework[\\/]src[\\/]Illuminate[\\/]Log)[\\/]/,
    example: '/var/www/vendor/monolog/monolog/src/Monolog/Logger.php',
    source: 'Monolog; PSR-3; Laravel, Illuminate\\Log; Laminas Log; CakePHP; Yii',
  },
  {
    kind: 'reporter',
    families: ['ruby'],
    what: 'loggers',
    file: /[\\/]lib[\\/]ruby[\\/]\d[\w.]{0,20}[\\/]logger(?:[\\/]\w{1,40})?\.rb$|[\\/]gems[\\/](?:logger|semantic_logger|logging|ougai|sentry-[a-z_-]{1,40})-\d|[\\/]active_support[\\/](?:error_reporter|broadcast_logger|tagged_logging|logger)\.rb$/,
    example: '/usr/local/lib/ruby/3.3.0/logger.rb',
    source: 'Ruby, logger; semantic_logger; logging; ActiveSupport; sentry-ruby',
  },
  {
    kind: 'reporter',
    families: ['elixir'],
    what: 'loggers',
    module: /^(?:(?:Elixir\.)?(?:Logger|Sentry)|logger|logger_\w{1,40}|error_logger|lager)(?:\.|$)/,
    example: 'logger',
    source: 'Elixir, Logger; OTP, logger; lager; sentry-elixir',
  },
  {
    kind: 'reporter',
    families: ['dart', 'other'],
    what: 'loggers',
    file: /^package:(?:logging|logger|talker(?:_\w{1,40})?|sentry(?:_\w{1,40})?)\//,
    example: 'package:logging/src/logger.dart',
    source: 'package:logging; package:logger; package:talker; sentry-dart',
  },
  {
    kind: 'reporter',
    families: ['perl'],
    what: 'loggers, and what throws for others',
    function:
      /^(?:Log::(?:Log4perl|Dispatch|Any|Contextual|Handler)|Mojo::Log|Carp|Devel::StackTrace|Throwable|Exception::Class|Sentry)::/,
    example: 'Carp::croak',
    source: 'Log::Log4perl; Log::Dispatch; Log::Any; Mojo::Log; perldoc Carp',
  },
  {
    kind: 'reporter',
    families: ['native'],
    what: 'loggers and assertions of Apple’s platforms',
    function:
      /^(?:[-+]\[(?:DDLog|Sentry\w{0,60}|OSLog|NSAssertionHandler) |(?:specialized )?(?:_assertionFailure|_fatalErrorMessage|_preconditionFailure|assertionFailure|fatalError|preconditionFailure|_swift_runtime_on_report)(?:\(|$))/,
    example: '_assertionFailure(_:_:file:line:flags:)',
    source: 'CocoaLumberjack; swift, stdlib/public/core/AssertCommon.swift; sentry-cocoa',
  },
  {
    kind: 'library',
    families: ['javascript'],
    what: 'packages, of which browsers’ SDKs call all the app’s own',
    file: /(?:^|[\\/])node_modules[\\/]/,
    example: 'http://localhost:5173/node_modules/.vite/deps/react-dom_client.js',
    source: 'npm, folders; @sentry/browser, stack-parsers.ts',
  },
  {
    kind: 'library',
    families: ['go'],
    what: 'modules by their version, as `-trimpath` leaves them',
    file: /^[\w.-]{1,100}\.[a-z]{2,20}\/(?:[\w.~!-]{1,100}\/){0,8}[\w.~!-]{1,100}@v\d/,
    example: 'github.com/sirupsen/logrus@v1.9.3/entry.go',
    source: 'go, cmd/go: -trimpath',
  },
  {
    kind: 'reporter',
    families: ['go'],
    what: 'loggers, vendored too',
    file: /(?:^|[\\/])(?:github\.com[\\/](?:sirupsen[\\/]logrus|rs[\\/]zerolog|apex[\\/]log|inconshreveable[\\/]log15|golang[\\/]glog|hashicorp[\\/]go-hclog|go-logr[\\/]\w{1,40}|go-kit[\\/](?:kit[\\/])?log|charmbracelet[\\/]log|phuslu[\\/]log|gookit[\\/]slog|getsentry[\\/]sentry-go)|go\.uber\.org[\\/]zap|k8s\.io[\\/]klog|src[\\/]log)(?:@v[^\\/]{1,60})?[\\/]/,
    example: '/src/vendor/github.com/sirupsen/logrus/entry.go',
    source: 'logrus, zerolog, zap, log/slog, glog, klog, go-hclog, logr, go-kit, charmbracelet/log',
  },
  {
    kind: 'reporter',
    families: ['csharp'],
    what: 'loggers',
    function:
      /^(?:UnityEngine\.(?:Debug|Logger|DebugLogHandler|Assertions\.Assert)|Sentry\.(?:Unity\.)?\w{1,60}|Serilog\.[\w.]{1,100}|NLog\.[\w.]{1,100}|log4net\.[\w.]{1,100})[.:]\w/,
    module:
      /^(?:Serilog|NLog|log4net|Microsoft\.Extensions\.Logging|Common\.Logging|Sentry|UnityEngine\.(?:Debug|Logger|DebugLogHandler|Assertions))(?:[.+]|$)/,
    example: 'UnityEngine.Debug:LogException (System.Exception)',
    source: 'Unity, UnityEngine.Debug; Serilog; NLog; log4net; Microsoft.Extensions.Logging',
  },
  {
    kind: 'reporter',
    families: ['python'],
    what: 'loggers',
    file: /(?:^|[\\/])(?:logging[\\/](?:__init__|handlers)|loguru[\\/]_logger|structlog[\\/]\w{1,40}|absl[\\/]logging[\\/]\w{1,40})\.py$/,
    module: /^(?:logging|warnings|loguru|structlog|logbook|eliot|absl\.logging|sentry_sdk)(?:\.|$)/,
    example: '/usr/lib/python3.12/logging/__init__.py',
    source: 'Python, logging, warnings; loguru; structlog; absl-py; logbook; eliot',
  },
  {
    kind: 'library',
    families: ['go'],
    what: 'modules, of which the SDK knows only those of a folder `vendor`',
    file: /[\\/]pkg[\\/]mod[\\/]|[\\/]go[\\/]src[\\/](?:runtime|net|internal)[\\/]/,
    example: '/root/go/pkg/mod/github.com/jackc/pgx/v5@v5.6.0/conn.go',
    source: 'Go modules reference, “Module cache”; sentry-go, stacktrace.go: isInAppFrame',
  },
  {
    kind: 'library',
    families: ['php'],
    what: 'packages, which the SDK takes for the app’s own where no framework says otherwise',
    file: /(?:^|[\\/])vendor[\\/][\w.-]{1,80}[\\/]/,
    example: '/var/www/vendor/guzzlehttp/guzzle/src/Client.php',
    source: 'Composer, vendor-dir; sentry-php, FrameBuilder::isFrameInApp',
  },
  {
    kind: 'library',
    families: ['python'],
    what: 'packages',
    file: /[\\/](?:site|dist)-packages[\\/]/,
    example: '/venv/lib/python3.12/site-packages/psycopg/connection.py',
    source: 'Python, site',
  },
  {
    kind: 'library',
    families: ['ruby'],
    what: 'gems, below the app too',
    file: /[\\/]gems[\\/][\w.-]{1,120}-\d[\w.]{0,40}[\\/]/,
    example: '/app/vendor/bundle/ruby/3.3.0/gems/pg-1.5.6/lib/pg/connection.rb',
    source: 'Bundler, BUNDLE_PATH; sentry-ruby, LineBuilder',
  },
]

/** The row that a file is of; `null`: a file of whoever the SDK says. */
export function ruleOfFile(file: string, family: Family): FrameRule | null {
  return FRAME_RULES.find((rule) => isFor(rule, family) && rule.file?.test(file) === true) ?? null
}

/** The row that a module or class is of; `null`: of whoever the SDK says. */
export function ruleOfModule(name: string, family: Family): FrameRule | null {
  return FRAME_RULES.find((rule) => isFor(rule, family) && rule.module?.test(name) === true) ?? null
}

/** The row that a function is of; `null`: a function of whoever the SDK says. */
export function ruleOfFunction(name: string, family: Family): FrameRule | null {
  return FRAME_RULES.find((rule) => isFor(rule, family) && rule.function?.test(name) === true) ?? null
}

function isFor({ families }: FrameRule, family: Family): boolean {
  return families === 'all' || families.includes(family)
}
