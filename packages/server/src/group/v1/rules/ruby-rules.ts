/** Part of grouping version 1. Ruby 3.3 and 3.4 say one failure in other words, and older ones print the whole receiver. */
import { row, type TextRule } from './text-rule.ts'

const MISSING =
  /\b(undefined|private|protected) (local variable or method|method) [`']([^'\n]{1,100})'( called)? for ([^\n]{1,1000})/

export const RUBY_RULES: readonly TextRule[] = [
  row(
    0,
    'receiver of a method of Ruby',
    new RegExp(MISSING, 'g'),
    inNewWords,
    "undefined method `total' for #<Cart:0x00007f54a93ebe58 @id=12>",
    "undefined method 'total' for an instance of Cart",
    'Ruby, error.c: name_err_mesg_to_str; Ruby 3.4, NEWS',
  ),
]

function inNewWords(match: string): string {
  const [, how, what, name, called = '', receiver = ''] = MISSING.exec(match) ?? []
  return `${how} ${what} '${name}'${called} for ${receiverOf(receiver)}`
}

function receiverOf(told: string): string {
  if (/^nil(?::NilClass)?(?!\w)/.test(told)) return 'nil'
  if (/^main(?::Object)?(?!\w)/.test(told)) return 'main'
  const inspected = /^#<([A-Z][\w:]{0,100}?)(?::0x[0-9a-f]{1,16}|[ >])/.exec(told)
  if (inspected !== null) return `an instance of ${inspected[1]}`
  const [, named, kind] = /^([A-Z][\w:]{0,100}):(Class|Module)(?!\w)/.exec(told) ?? []
  if (kind !== undefined) return `${kind.toLowerCase()} ${named}`
  const [, type] = /^["\d[{:-].{0,900}:([A-Z]\w{0,60})$/.exec(told) ?? []
  return type === undefined ? told : `an instance of ${type}`
}
