/** Part of grouping version 1. Values of statements, as drivers and mappers put them into messages. */
import { row, type TextRule } from './text-rule.ts'
import { ROUND, SQL } from './text-traits.ts'

export const SQL_RULES: readonly TextRule[] = [
  row(
    SQL | ROUND,
    'values of a statement',
    /\bvalues ?\((?:[^()]|\([^()]{0,200}\)){0,1000}\)(?:, ?\((?:[^()]|\([^()]{0,200}\)){0,1000}\)){0,50}/gi,
    'values (<values>)',
    'insert into `users` (`name`) values (Anna)',
    'insert into `users` (`name`) values (<values>)',
    'Laravel, QueryException: bindings without quotes; knex',
  ),
  row(
    SQL | ROUND,
    'values of a list',
    /\bin \((?!select\b)(?:[^()]|\([^()]{0,200}\)){1,1000}\)/gi,
    'in (<values>)',
    'select * from users where name in (Anna, Ben)',
    'select * from users where name in (<values>)',
    'Laravel, QueryException; SQLAlchemy: a name for each value',
  ),
  row(
    SQL,
    'value of a condition',
    /(?<=[\w`"\]])( ?= ?| (?:<>|!=|>=|<=|>|<|like) )(?! ?["'`<?$:@(]|[\w]{1,60}\.[\w]{1,60}(?: |$))[^,()\n]{1,200}?(?= (?:and|or|where|limit|order|group|having|returning|for|on)\b|[,;)\n]|$)/gi,
    '$1<value>',
    'select * from users where name = Anna Smith limit 1',
    'select * from users where name = <value> limit <int>',
    'Laravel, QueryException',
  ),
]
