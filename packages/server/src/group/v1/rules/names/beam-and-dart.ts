/** Part of grouping version 1. Names that Erlang, Elixir, Dart and Julia generate. */
import { fn, type NameRules } from './name-rule.ts'

export const ELIXIR: NameRules = [
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

export const DART: NameRules = [
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

export const OTHER: NameRules = [
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
