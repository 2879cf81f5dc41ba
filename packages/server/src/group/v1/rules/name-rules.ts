/**
 * Part of grouping version 1. What compilers, bundlers and runtimes put into the names of functions, classes and types,
 * and what is left of it. By their own naming rules, not by examples. Rows of a family go from top to bottom, each over what
 * the one before left. Every pattern is linear: each repetition has a bound or is followed by nothing it could take.
 */
import type { Family } from './families.ts'

export interface NameRule {
  readonly of: 'function' | 'class' | 'both'
  /** Who makes it. */
  readonly what: string
  readonly pattern: RegExp
  readonly to: string
  readonly example: string
  /** What the rows of the family leave of the example. */
  readonly gives: string
  readonly source: string
}

type Rules = readonly NameRule[]
type Told = readonly [
  what: string,
  pattern: RegExp,
  to: string,
  example: string,
  gives: string,
  source: string,
]

const rule =
  (of: NameRule['of']) =>
  (...[what, pattern, to, example, gives, source]: Told): NameRule => ({
    ...{ of, what, pattern, to, example, gives, source },
  })
const fn = rule('function')
const cls = rule('class')
const both = rule('both')

const JAVASCRIPT: Rules = [
  fn(
    'Hermes: function without a name',
    /^\?anon_\d+_?/,
    '',
    '?anon_0_onPress',
    'onPress',
    'hermes, lib/IRGen',
  ),
  fn(
    'WebAssembly: function by its index',
    /^wasm-function\[\d+\]$/,
    'wasm-function',
    'wasm-function[173]',
    'wasm-function',
    'WebAssembly Web API, “Conventions”',
  ),
  fn('Rollup, Vite: names that clash', /\$\d{1,5}$/, '', 'save$2', 'save', 'rollup, src/utils/safeName.ts'),
  fn(
    'Babel: async function and generator',
    /^_callee\d{0,5}\$?$/,
    '',
    '_callee2$',
    '',
    'babel-helper-wrap-function',
  ),
  fn(
    'regenerator: body of a generator',
    /^([\w$]{2,200})\$$/,
    '$1',
    'save$',
    'save',
    'regenerator-transform, lib/visit.js',
  ),
  fn(
    'Babel, React compiler: helper',
    /^_(loop|temp|ref|this|default|class|step|iterator)\d{1,5}$/,
    '_$1',
    '_temp3',
    '_temp',
    'babel-traverse, scope.generateUid',
  ),
  fn(
    'Svelte: handlers of one component',
    /_handler_\d{1,5}$/,
    '_handler',
    'click_handler_2',
    'click_handler',
    'svelte 4, render_dom',
  ),
  fn(
    'Next.js: action written inline',
    /^(\$\$(?:RSC_SERVER_)?ACTION)_\d{1,5}$/,
    '$1',
    '$$RSC_SERVER_ACTION_1',
    '$$RSC_SERVER_ACTION',
    'next-custom-transforms, server_actions.rs',
  ),
  fn(
    'dart2js: closure',
    /_closure\d{1,5}$/,
    '_closure',
    'Cart_pay_closure0',
    'Cart_pay_closure',
    'sdk/pkg/compiler, js_backend/namer.dart',
  ),
  cls(
    'dart2js: type under another name in every build',
    /^minified:\w{1,20}$/,
    '',
    'minified:kP',
    '',
    'sdk/pkg/compiler, js_runtime rti.dart',
  ),
]

const PYTHON: Rules = [
  fn(
    'what stands within a function',
    /\.?<(?:locals|lambda|listcomp|dictcomp|setcomp|genexpr)>/g,
    '',
    'load.<locals>.<lambda>',
    'load',
    'PEP 3155',
  ),
  fn(
    'IPython: cell',
    /^<cell line: \d{1,9}>$/,
    '',
    '<cell line: 3>',
    '',
    'IPython, core/interactiveshell.py',
  ),
]

const RUBY: Rules = [
  fn(
    'Action View: template by hash and object id',
    /_{2,3}\d{1,30}_\d{1,30}$/,
    '',
    '_app_views_home_html_erb___2412767935268124114_7017',
    '_app_views_home_html_erb',
    'actionview, template.rb #method_name',
  ),
  fn(
    'Tilt: compiled template',
    /^__tilt_\w{1,60}$/,
    '__tilt',
    '__tilt_70263_1',
    '__tilt',
    'tilt, lib/tilt/template.rb',
  ),
  both(
    'class without a name',
    /:0x[0-9a-f]{1,16}/gi,
    '',
    '#<Class:0x000078e1a2b3c4d8>',
    '#<Class>',
    'ruby, rb_class_path',
  ),
]

const PHP: Rules = [
  both(
    'class without a name: folder, line',
    /@anonymous[^:]*(?::\d+\$[0-9a-f]+)?/i,
    '@anonymous',
    'App\\Base@anonymous/var/www/a/H.php:12$0::run',
    'App\\Base@anonymous::run',
    'php-src, zend_generate_anon_class_name',
  ),
  fn(
    'closure since 8.4: line',
    /:\d{1,9}(?=\})/g,
    '',
    'App\\Svc::{closure:App\\Svc::load():12}',
    'App\\Svc::{closure:App\\Svc::load()}',
    'php-src, zend_begin_func_decl',
  ),
  fn(
    'closure since 8.4: file',
    /\{closure:[^{}]{0,400}\.(?:php\d?|phtml|inc|phar|module|tpl)\b[^{}]{0,80}\}/gi,
    '{closure}',
    '{closure:/srv/r1/routes/web.php:12}',
    '{closure}',
    'php-src, zend_begin_func_decl',
  ),
  both(
    'Twig: class of a template',
    /__TwigTemplate_[0-9a-f]{8,64}(?:___\d{1,12})?/g,
    '__TwigTemplate',
    '__TwigTemplate_9b1c2d3e4f506172___4711::block_body',
    '__TwigTemplate::block_body',
    'twig, Environment::getTemplateClass',
  ),
  both(
    'Smarty: function of a template',
    /\bcontent_[0-9a-f]{10,24}_\d{1,12}/g,
    'content',
    'content_64f1c2d3e4b5a6_12345678',
    'content',
    'smarty, Compiler/Template',
  ),
  both(
    'Latte: class of a template',
    /\bTemplate_?[0-9a-f]{10}(?![0-9a-z])/g,
    'Template',
    'Template_3f2a9c1b7d::blockContent',
    'Template::blockContent',
    'latte, Engine::getTemplateClass',
  ),
  both(
    'Symfony: container of a build',
    /\bContainer[A-Za-z0-9]{7}\\/g,
    'Container\\',
    'ContainerVx2aB3c\\getCartService::do',
    'Container\\getCartService::do',
    'symfony, PhpDumper',
  ),
  both(
    'Symfony, Doctrine: proxy',
    /(Proxy|Ghost|Mock_[A-Za-z]{1,80}_)[0-9a-f]{7,8}(?![0-9a-zA-Z])/g,
    '$1',
    'CartGhost3f2a9c1',
    'CartGhost',
    'symfony/var-exporter, ProxyHelper; PHPUnit, Generator',
  ),
  both(
    'Doctrine: proxy of an entity',
    /^(?:Doctrine)?(?:\w{1,60}\\)?Proxies\\__CG__\\/,
    '',
    'Proxies\\__CG__\\App\\User',
    'App\\User',
    'doctrine/common, Proxy::MARKER',
  ),
  both(
    'Mockery: mock',
    /\bMockery_\d{1,9}_/g,
    'Mockery_',
    'Mockery_3_App_Cart',
    'Mockery_App_Cart',
    'mockery, MockConfiguration::generateName',
  ),
]

const JVM_BOTH: Rules = [
  both(
    'javac, D8: class of a lambda',
    /\$\$Lambda(?:\$\d+)?(?:[/.]0x[0-9a-f]{1,16}|\/\d{1,12})?(?![\w$])/gi,
    '$$$$Lambda',
    'Cart$$Lambda$30/2081171245',
    'Cart$$Lambda',
    'jdk, InnerClassLambdaMetafactory',
  ),
  both(
    'D8: class of a lambda',
    /(\$\$(?:External)?SyntheticLambda)\d+/g,
    '$1',
    'Cart$$ExternalSyntheticLambda3',
    'Cart$$ExternalSyntheticLambda',
    'r8, SyntheticNaming',
  ),
  both(
    'java.lang.reflect.Proxy',
    /(?:(?:com\.sun\.proxy|jdk\.proxy\d{1,9})\.)?\$Proxy\d+/g,
    '$$Proxy',
    'jdk.proxy2.$Proxy77',
    '$Proxy',
    'jdk, java.lang.reflect.Proxy',
  ),
  both(
    'accessors of reflection',
    /Generated(?:Method|Constructor|SerializationConstructor)Accessor\d+/g,
    'GeneratedAccessor',
    'GeneratedMethodAccessor2408',
    'GeneratedAccessor',
    'jdk, MethodAccessorGenerator',
  ),
  both(
    'CGLIB, Spring, Guice',
    /\$\$(?:EnhancerBy|FastClassBy|KeyFactoryBy|SpringCGLIB)[\w$]*/g,
    '',
    'Cart$$EnhancerBySpringCGLIB$$8aebfe38',
    'Cart',
    'cglib, DefaultNamingPolicy; SpringNamingPolicy',
  ),
  both(
    'Javassist, Hibernate, Byte Buddy, Mockito',
    /\$\$_javassist_\d+|_\$\$_jvst[\w$]*|\$HibernateProxy[\w$]*|\$ByteBuddy[\w$]*|\$MockitoMock[\w$]*/g,
    '',
    'User$HibernateProxy$abcQ12',
    'User',
    'hibernate, ByteBuddyProxyHelper; byte-buddy, NamingStrategy',
  ),
  both(
    'Byte Buddy: helper',
    /\$auxiliary\$\w+/g,
    '$$auxiliary',
    'Cart$auxiliary$Ab12',
    'Cart$auxiliary',
    'byte-buddy, AuxiliaryType',
  ),
  both(
    'Weld, Quarkus: proxy',
    /\$Proxy\$_\$\$_Weld\w{1,40}|_(?:ClientProxy|Subclass)$/g,
    '',
    'Cart$Proxy$_$$_WeldClientProxy',
    'Cart',
    'weld, ClientProxyFactory; quarkus arc, ClientProxyGenerator',
  ),
  both(
    'Jackson: accessor',
    /\$Access4Jackson(?:Des|S)erializer[0-9a-f]{1,16}/g,
    '',
    'Cart$Access4JacksonDeserializer3f2a9c1b',
    'Cart',
    'jackson afterburner, DynamicPropertyAccessorBase',
  ),
  both(
    'hidden class: address',
    /[/.]0x[0-9a-f]{1,16}(?![0-9a-z])/gi,
    '',
    'LambdaForm$MH/0x0000000800b2c400',
    'LambdaForm$MH',
    'JEP 371',
  ),
  both(
    'method handle',
    /(LambdaForm\$[A-Z]{1,5})\d+/g,
    '$1',
    'LambdaForm$DMH012',
    'LambdaForm$DMH',
    'jdk, InvokerBytecodeGenerator',
  ),
  both(
    'Clojure: gensym',
    /(?:__|--)\d+(?![\w])|(?<=[\w])__\d+(?=\$)/g,
    '',
    'shop.core$pay$fn__1234',
    'shop.core$pay$fn',
    'clojure, RT.nextID',
  ),
  both(
    'Clojure: evaluated form',
    /\beval\d+/g,
    'eval',
    'shop.core$eval1236',
    'shop.core$eval',
    'clojure, Compiler.eval',
  ),
  both(
    'Spark: code of a stage',
    /ForCodegenStage\d+/g,
    'ForCodegenStage',
    'GeneratedClass$GeneratedIteratorForCodegenStage12',
    'GeneratedClass$GeneratedIteratorForCodegenStage',
    'spark, WholeStageCodegenExec',
  ),
  both(
    'Kotlin Compose: lambda',
    /\blambda-\d+/g,
    'lambda',
    'ComposableSingletons$MainKt$lambda-3',
    'ComposableSingletons$MainKt$lambda',
    'kotlin, ComposerLambdaMemoization',
  ),
]

const JAVA: Rules = [
  ...JVM_BOTH,
  fn('javac: body of a lambda', /^lambda\$.*$/s, '', 'lambda$pay$1', '', 'jdk, LambdaToMethod'),
  fn(
    'R8: body of a lambda',
    /^\$r8\$lambda\$.*$/s,
    '$$r8$$lambda',
    '$r8$lambda$9xU-2bA_Qw',
    '$r8$lambda',
    'r8, SyntheticNaming',
  ),
  fn(
    'Kotlin: body of a lambda',
    /(?:\$lambda(?:[-$]\d+)?){1,9}/g,
    '$$lambda',
    'pay$lambda$3$lambda$2',
    'pay$lambda',
    'kotlin, JvmInventNamesForLocalFunctions',
  ),
  fn(
    'Scala: specialised method',
    /\$mc[A-Z]{1,4}\$sp$/,
    '',
    'apply$mcII$sp',
    'apply',
    'scala 2, SpecializeTypes',
  ),
  fn(
    'javac: access to a private member',
    /^(access\$)\d*$/,
    '$1',
    'access$100',
    'access$',
    'jdk, Lower.accessName',
  ),
  fn(
    'javac, Scala, Groovy, JRuby: number of a local method',
    /\$\d+(?=\$|$)/g,
    '',
    '$anonfun$pay$12',
    '$anonfun$pay',
    'scala 2, freshTermName; groovy, AsmClassGenerator',
  ),
  cls(
    'Groovy: closure, lambda',
    /_(closure|lambda)\d+/g,
    '_$1',
    'Job$_run_closure1$_closure2',
    'Job$_run_closure$_closure',
    'groovy, ClosureWriter',
  ),
  cls(
    'Groovy: script',
    /^Script\d+(?![\w])/,
    'Script',
    'Script12',
    'Script',
    'groovy, GroovyShell.generateScriptName',
  ),
  cls('Spring: compiled expression', /^(spel\.Ex)\d+$/, '$1', 'spel.Ex12', 'spel.Ex', 'spring, SpelCompiler'),
  cls(
    'class without a name',
    /\$(?:fn__|anon\$?)?\d+/g,
    '',
    'Cart$anon$3',
    'Cart',
    'JLS 13.1; scala 2, freshTypeName',
  ),
]

const GO: Rules = [
  fn(
    'closure, go and defer statement',
    /\.(func|gowrap|deferwrap)\d+(?:\.\d+)*/g,
    '.$1',
    'handle.func2.1',
    'handle.func',
    'go, cmd/compile/internal/ir: closureName',
  ),
  fn(
    'closure of older compilers',
    /·(?:dwrap·)?\d+/g,
    '',
    'handle·dwrap·1',
    'handle',
    'go 1.17, cmd/compile/internal/gc',
  ),
  fn(
    'body of a range over a function',
    /-range\d+/g,
    '-range',
    'handle-range1',
    'handle-range',
    'go, cmd/compile/internal/rangefunc',
  ),
  fn(
    'type arguments',
    /\[(?:\.\.\.|go\.shape\.[^[\]]{0,300})\]/g,
    '',
    'Map[go.shape.int]',
    'Map',
    'go, generics-implementation-gcshape.md',
  ),
  fn('method value', /-fm$/, '', '(*Cart).Pay-fm', '(*Cart).Pay', 'go, ir.MethodSymSuffix'),
  fn('init functions of a package', /\binit\.\d+/g, 'init', 'init.3', 'init', 'go, cmd/compile: renameinit'),
  fn(
    'cgo',
    /_cgo_[0-9a-f]{12}_/g,
    '_cgo_',
    '_cgo_3f2a9c1b7d8e_Cfunc_pay',
    '_cgo_Cfunc_pay',
    'go, cmd/cgo/out.go',
  ),
  cls(
    'version of a module',
    /@v[\w.+-]+/g,
    '',
    'github.com/a/b@v1.2.3',
    'github.com/a/b',
    'Go modules reference',
  ),
  cls(
    'dot in a path',
    /%2e/gi,
    '.',
    'gopkg.in/yaml%2ev3',
    'gopkg.in/yaml.v3',
    'go, cmd/internal/objabi: PathToPrefix',
  ),
]

const CSHARP: Rules = [
  both(
    'version of an assembly',
    /, Version=[^,\]]{0,40}, Culture=[^,\]]{0,40}, PublicKeyToken=[^,\]]{0,40}/g,
    '',
    'Repo`1[[Shop.Order, Shop, Version=1.4.0.0, Culture=neutral, PublicKeyToken=null]]',
    'Repo`1[[Shop.Order, Shop]]',
    '.NET, AssemblyName.FullName',
  ),
  fn('arguments', / \(.*$/s, '', 'Run (int count)', 'Run', 'mono, StackTrace'),
  both(
    'Main of top-level statements',
    /<(\w{1,99})>\$/g,
    '$1',
    '<Main>$',
    'Main',
    'roslyn, WellKnownMemberNames.TopLevelStatementsEntryPointMethodName',
  ),
  both(
    'local function',
    /<([^<>]{0,200})>g__(\w{1,200})\|[\d_]{1,20}/g,
    '$1.$2',
    '<Run>g__Handle|0_3',
    'Run.Handle',
    'roslyn, GeneratedNames.MakeLocalFunctionName',
  ),
  both(
    'lambda',
    /<([^<>]{0,200})>b__[\d_]{1,20}/g,
    '$1',
    '<Run>b__3_0',
    'Run',
    'roslyn, GeneratedNames.MakeLambdaMethodName',
  ),
  both(
    'state machine, iterator',
    /<([^<>]{0,200})>d(?:__\d{1,9})?(?![\w])/g,
    '$1',
    '<ExecuteAsync>d__12',
    'ExecuteAsync',
    'roslyn, GeneratedNames.MakeStateMachineTypeName',
  ),
  both(
    'class of closures, captured or not',
    /<>c(?:__DisplayClass[\d_]{1,20})?(?:`\d{1,3})?(?![\w])/g,
    '<>c',
    'Svc+<>c__DisplayClass3_0',
    'Svc+<>c',
    'roslyn, GeneratedNames.MakeLambdaDisplayClassName',
  ),
  both(
    'call of the base class',
    /<>n__\d{1,9}/g,
    '<>n',
    '<>n__2',
    '<>n',
    'roslyn, GeneratedNames.MakeBaseMethodWrapperName',
  ),
  both(
    'other names by letter and number',
    /<([^<>]{1,200})>[a-z]__[\w|]{0,99}/g,
    '$1',
    '<Total>k__BackingField',
    'Total',
    'roslyn, GeneratedNameKind',
  ),
  both(
    'anonymous type',
    /<>f__AnonymousType[\w]{1,20}/g,
    '<>f__AnonymousType',
    '<>f__AnonymousType3`2',
    '<>f__AnonymousType`2',
    'roslyn, GeneratedNames.MakeAnonymousTypeTemplateName',
  ),
  both(
    'compiled expression',
    /\blambda_method\d{1,9}/g,
    'lambda_method',
    'lambda_method17',
    'lambda_method',
    '.NET, LambdaCompiler',
  ),
  both(
    'compiled regular expression',
    /\b(Regex|Go|FindFirstChar)\d{1,9}(?![\w.])/g,
    '$1',
    'Go12',
    'Go',
    '.NET, RegexLWCGCompiler',
  ),
  both(
    'F#: closure by line',
    /@\d{1,9}(?:-\d{1,9})?/g,
    '',
    'pay@12-3',
    'pay',
    'fsharp, CompilerGlobalState: NiceNameGenerator',
  ),
  both(
    'Visual Basic: closure',
    /(_Closure\$__|_Lambda\$__|VB\$StateMachine_)R?[\d-]{1,20}/g,
    '$1',
    '_Lambda$__3-0',
    '_Lambda$__',
    'roslyn, Visual Basic GeneratedNames',
  ),
  both(
    'Unity: IL2CPP',
    /_m[0-9A-F]{40}$/,
    '',
    'Loop_Update_m3F2A9C1B7D8E45AA3F2A9C1B7D8E45AA3F2A9C1B',
    'Loop_Update',
    'Unity, IL2CPP',
  ),
  cls(
    'Castle: proxy',
    /Proxy_\d{1,9}$/,
    'Proxy',
    'Castle.Proxies.ICartProxy_3',
    'Castle.Proxies.ICartProxy',
    'castle, NamingScope',
  ),
  cls(
    'Entity Framework 6: proxy',
    /_[0-9A-F]{64}$/,
    '',
    `System.Data.Entity.DynamicProxies.Order_${'3F2A9C1B'.repeat(8)}`,
    'System.Data.Entity.DynamicProxies.Order',
    'EntityFramework 6, EntityProxyFactory',
  ),
  cls('made at run time', /^\(unknown\)$/, '', '(unknown)', '', 'sentry-dotnet, DebugStackTrace'),
]

const NATIVE: Rules = [
  fn(
    'Rust: hash of a symbol',
    /::h[0-9a-f]{16}E?$/,
    '',
    'shop::pay::h0123456789abcdef',
    'shop::pay',
    'rustc, symbol_names/legacy.rs',
  ),
  fn(
    'Rust v0: disambiguator of a crate',
    /\[[0-9a-f]{12,16}\]/g,
    '',
    'shop[3f2a9c1b7d8e45aa]::pay',
    'shop::pay',
    'RFC 2603',
  ),
  fn(
    'Rust: method of a trait',
    /^<([\w:]{1,200})(?:<[^<>]{0,200}>)? as ([\w:]{1,200})(?:<[^<>]{0,200}>)?>/,
    '$1 as $2',
    '<shop::Cart as shop::Pay>::pay',
    'shop::Cart as shop::Pay::pay',
    'RFC 2603',
  ),
  fn(
    'Rust: closure',
    /\{\{(closure|impl|constant)\}\}/g,
    '{$1}',
    'pay::{{closure}}',
    'pay::{closure}',
    'rustc, DefPathData',
  ),
  fn(
    'C++: lambda',
    /'?lambda'?\d*(?![\w.])|\{lambda\([^{}]*\)#\d+\}|<lambda_\w{1,40}>|(?<![\w$])\$_\d+(?![\w])/g,
    'lambda',
    'pay()::{lambda(int)#2}::operator()(int) const',
    'pay()::lambda::operator()(int) const',
    'Itanium C++ ABI 5.1.8; MSVC; clang',
  ),
  fn('Rust v0: number of a closure', /#\d{1,9}(?=\})/g, '', 'pay::{closure#3}', 'pay::{closure}', 'RFC 2603'),
  fn(
    'GCC: clone',
    / ?\[clone [^\]]*\]/g,
    '',
    'pay(int) [clone .isra.0]',
    'pay(int)',
    'binutils, cp-demangle.c',
  ),
  fn(
    'GCC, LLVM: part of a function',
    /\.(?:part|isra|constprop|cold|lto_priv|llvm|localalias|resume|destroy|cleanup|warm|hot|__uniq)(?:\.\d{1,40})*/g,
    '',
    'pay.llvm.12345678901',
    'pay',
    'gcc, cgraphclones.cc; LLVM, ThinLTO, HotColdSplitting',
  ),
  fn(
    'version of a symbol',
    /@{1,2}GLIBC[\w.]*$/,
    '',
    'memcpy@@GLIBC_2.14',
    'memcpy',
    'ELF symbol versioning',
  ),
  fn(
    'anonymous namespace',
    /[`(]anonymous[ -]namespace['`)]/g,
    '{anonymous}',
    "shop::`anonymous namespace'::pay",
    'shop::{anonymous}::pay',
    'Itanium C++ ABI; MSVC',
  ),
  fn(
    'type without a name',
    /\{unnamed type#\d+\}|'unnamed\d*'/g,
    '{unnamed}',
    "'unnamed1'::pay",
    '{unnamed}::pay',
    'Itanium C++ ABI 5.1.8',
  ),
  fn(
    'Objective-C: block',
    /^__\d+(?=[-+]\[)/,
    '',
    '__41-[Cart pay:]_block_invoke_2',
    '-[Cart pay:]_block_invoke',
    'clang, CodeGenModule: block names',
  ),
  fn(
    'Objective-C: number of a block',
    /_block_invoke(?:[_.]\d+)?/g,
    '_block_invoke',
    '-[Cart pay:]_block_invoke.12',
    '-[Cart pay:]_block_invoke',
    'clang, CodeGenModule: block names',
  ),
  fn(
    'Swift: part of an async function',
    /^\(\d+\) (?:await|suspend) (?:resume|partial function)[\w ]{0,30}? for /,
    '',
    '(2) suspend resume partial function for Cart.pay()',
    'Cart.pay()',
    'swift, NodePrinter.cpp',
  ),
  fn(
    'Swift: made by the optimiser',
    /^(?:(?:partial apply (?:forwarder )?for|specialized|merged|@objc|@nonobjc|function signature specialization <[^<>]{0,200}> of|generic specialization <[^<>]{0,200}> of) ){1,4}/,
    '',
    'specialized Cart.pay()',
    'Cart.pay()',
    'swift, NodePrinter.cpp',
  ),
  fn(
    'Swift: closure',
    /\b((?:implicit )?closure) #\d+/g,
    '$1',
    'closure #2 in closure #1 in Cart.pay()',
    'closure in closure in Cart.pay()',
    'swift, NodePrinter.cpp',
  ),
  fn(
    'Swift: private to a file',
    /\((\w{1,99}) in _[0-9A-F]{32}\)/g,
    '$1',
    'Cart.(pay in _3F2A9C1B7D8E45AA3F2A9C1B7D8E45AA)()',
    'Cart.pay()',
    'swift, NodePrinter.cpp',
  ),
  fn(
    'Kotlin/Native: lambda, coroutine',
    /\$(?:lambda-?|COROUTINE)?\$?\d+/g,
    '$',
    'pay$lambda$3',
    'pay$',
    'kotlin, native backend: binary names',
  ),
  fn(
    'OCaml: stamp',
    /^(caml\w{1,199}?)_\d+$/,
    '$1',
    'camlShop__pay_123',
    'camlShop__pay',
    'ocaml, asmcomp: Compilenv.make_symbol',
  ),
]

const ELIXIR: Rules = [
  fn(
    'Erlang: function without a name',
    /-fun-\d+-$/,
    '-fun-',
    '-pay/1-fun-0-',
    '-pay/1-fun-',
    'otp, v3_core: new_fun_name',
  ),
  fn(
    'Erlang: comprehension',
    /-(lc|blc|mc|bc)\$\^\d+\/\d+-\d+-$/,
    '-$1-',
    '-pay/1-lc$^0/1-0-',
    '-pay/1-lc-',
    'otp, v3_core: new_fun_name',
  ),
  fn('Erlang: inlined', /^-inlined-/, '', '-inlined-pay/1-', 'pay/1-', 'otp, sys_core_inline'),
]

const PERL: Rules = [
  both(
    'evaluated text',
    /\(eval \d{1,9}\)/g,
    '(eval)',
    'Shop::(eval 12)',
    'Shop::(eval)',
    'perldoc perlfunc, eval',
  ),
  both(
    'place of a sub without a name',
    /__ANON__[[(][^\])]{0,400}[\])]/g,
    '__ANON__',
    'Shop::__ANON__[/srv/r1/Cart.pm:12]',
    'Shop::__ANON__',
    'Devel::NYTProf; perldoc perldebguts',
  ),
  both(
    'Moose: class without a name',
    /SERIAL::\d{1,9}/g,
    'SERIAL',
    'Moose::Meta::Class::__ANON__::SERIAL::3::pay',
    'Moose::Meta::Class::__ANON__::SERIAL::pay',
    'Class::MOP::Mixin::HasMetaclass',
  ),
  both(
    'compiled template or evaluated closure',
    /(Sandbox)(?:::[0-9a-f]{16,64}|_\d{1,9})/g,
    '$1',
    'Mojo::Template::Sandbox::3f2a9c1b7d8e45aa::pay',
    'Mojo::Template::Sandbox::pay',
    'Mojolicious::Plugin::EPRenderer; Eval::Closure',
  ),
  both(
    'Moose: accessor by file and line',
    / \(defined at .{0,400}$/s,
    '',
    'Cart::total (defined at /srv/Cart.pm line 3)',
    'Cart::total',
    'Moose, Class::MOP::Method::Accessor',
  ),
]

const LUA: Rules = [
  fn(
    'function without a name, by file and line',
    /^(?:in )?function <[^<>]{0,400}>$/,
    '',
    'function <cart.lua:12>',
    '',
    'lua, lauxlib.c: pushfuncname',
  ),
  fn(
    'kind of a function',
    /^(?:in )?(?:global |local |upvalue |method |field )?(?:function )?['‘]([^'’]{1,200})['’]$/,
    '$1',
    "in method 'pay'",
    'pay',
    'lua, lauxlib.c: pushfuncname',
  ),
]

const DART: Rules = [
  fn(
    'closure',
    /\.?<(?:fn|anonymous closure)>|\.?\[anonymous closure\]/g,
    '',
    '_CartState.pay.<fn>.<fn>',
    '_CartState.pay',
    'package:stack_trace, Frame.parseVM',
  ),
  fn('constructor', /^new /, '', 'new Cart.empty', 'Cart.empty', 'package:stack_trace, Frame.parseVM'),
]

const OTHER: Rules = [
  ...DART,
  fn(
    'Julia: closure',
    /^(?:var")?#?([A-Za-z_]\w{0,99}!?)?#\d{1,9}(?:#\d{1,9})?"?$/,
    '$1',
    'pay#12',
    'pay',
    'julia, src/julia-syntax.scm',
  ),
]

export const NAME_RULES: Readonly<Record<Family, Rules>> = {
  javascript: JAVASCRIPT,
  python: PYTHON,
  ruby: RUBY,
  php: PHP,
  java: JAVA,
  go: GO,
  csharp: CSHARP,
  native: NATIVE,
  elixir: ELIXIR,
  perl: PERL,
  lua: LUA,
  dart: DART,
  other: OTHER,
}

/** What the rows for functions, or for classes, of a family leave of a name. */
export function withoutGenerated(name: string, family: Family, of: 'function' | 'class'): string {
  let left = name
  for (const rule of NAME_RULES[family]) {
    if (rule.of === of || rule.of === 'both') left = left.replace(rule.pattern, rule.to)
  }
  return left
}
