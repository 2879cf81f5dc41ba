/** Answers questions about rows of any dataset: checks each, and leaves out what may not be seen. */
import { max } from '#limits/limits.ts'
import type { Dataset } from '#model/dataset.ts'
import type { HiddenRules } from '#model/hidden.ts'
import type {
  Answer,
  Columns,
  FiguresAnswer,
  FiguresAsked,
  NamedAnswer,
  NamedAsked,
  Question,
  RowsAnswer,
  RowsAsked,
} from '#ports/columns.ts'
import type { ReadScope } from '#ports/scope.ts'
import { checkCondition } from './ask-conditions.ts'
import type { AskContext } from './ask-context.ts'
import { badQuestion, shortenName } from './ask-fields.ts'
import { askAttributeKeys, askFigures } from './ask-figures.ts'
import { askRows } from './ask-rows.ts'
import type { ColumnFiles } from './column-files.ts'
import type { QuerySlots } from './query-slots.ts'

interface Asking {
  readonly datasets: readonly Dataset[]
  readonly files: ColumnFiles
  readonly slots: QuerySlots
  /** Deletions and periods as of today. */
  readonly rules: { now(): HiddenRules }
}

export function columnsAsked({ datasets, files, slots, rules }: Asking): Columns {
  const named = new Map(datasets.map((dataset) => [dataset.name, dataset]))
  function ask(scope: ReadScope, question: RowsAsked): Promise<RowsAnswer>
  function ask(scope: ReadScope, question: FiguresAsked): Promise<FiguresAnswer>
  function ask(scope: ReadScope, question: NamedAsked): Promise<NamedAnswer>
  async function ask(scope: ReadScope, question: Question): Promise<Answer> {
    const dataset = named.get(question.dataset)
    if (dataset === undefined) throw badQuestion(`There is no dataset ${shortenName(question.dataset)}.`)
    checkQuestion(dataset, question)
    return slots.read<Answer>(
      (query) => answerQuestion({ dataset, files, query, scope, rules: rules.now() }, question),
      { by: scope },
    )
  }
  return { ask }
}

function checkQuestion({ fields }: Dataset, { range, where, ...asked }: Question): void {
  if (!Number.isFinite(range.startMs) || !Number.isFinite(range.endMs))
    throw badQuestion('A question has a range of time.')
  checkCondition(where)
  // Whoever asks for all that there is may: a file of somebody's data leaves no field out.
  const fieldsMax = Math.max(max('askFieldsMax'), fields.length + OWN_COLUMNS_MAX)
  if (asked.ask === 'rows' && asked.fields.length > fieldsMax)
    throw badQuestion(`At most ${fieldsMax} fields at once.`)
}

/** Columns of every row that may be asked for beside the fields of its dataset. */
const OWN_COLUMNS_MAX = 4

function answerQuestion(context: AskContext, question: Question): Promise<Answer> {
  switch (question.ask) {
    case 'rows':
      return askRows(context, question)
    case 'figures':
      return askFigures(context, question)
    case 'named':
      return askAttributeKeys(context, question)
  }
}
