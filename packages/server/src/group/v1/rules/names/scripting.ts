/** Part of grouping version 1. Names that PHP, Python, Ruby, Perl and Lua and their template engines generate. */
import { both, fn, type NameRules } from './name-rule.ts'

export const PHP: NameRules = [
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

export const PYTHON: NameRules = [
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

export const RUBY: NameRules = [
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

export const PERL: NameRules = [
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

export const LUA: NameRules = [
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
