/** Runs a change on issues and says in a toast what became of it; what can be undone carries Undo. */

import { byWord } from '#ui/by-word.ts'
import { numberText } from '#ui/number-text.ts'
import { useToast } from '#ui/toast.tsx'
import type { Action } from '#wire/define-action.ts'
import { useAction } from '#wire/use-action.ts'
import { archiveEndText } from './archive-ends.ts'

interface Told {
  readonly change: string
  readonly refs: readonly string[]
  readonly changed: number
}

/** The action `issue.change`, as those who run it see it. */
export type ChangeIssues = Action<
  Told,
  {
    readonly refs?: readonly string[] | undefined
    readonly all?: string | undefined
    readonly change: string
    readonly reason?: string | undefined
  }
>

export interface IssueChange {
  readonly pending: boolean
  /** Answers true when it was done. */
  run(refs: readonly string[], change: string): Promise<boolean>
  /** On everything that a list finds, as its address says. */
  runAll(list: string, change: string): Promise<boolean>
  /** Shows what `issue.change` answered to a form that ran by itself. */
  tell(result: unknown): void
}

export function useIssueChange(): IssueChange {
  const action = useAction<ChangeIssues>('issue.change')
  const toast = useToast()
  const tell = (result: unknown) => {
    const told = readResult(result)
    if (told === null) return
    const undo = undoOf(told.change)
    toast({
      text: issueChangeText(told.change, told.changed),
      ...(undo === null ? {} : { action: { label: 'Undo', run: () => void run(told.refs, undo) } }),
    })
  }
  const run = (refs: readonly string[], change: string) => send({ refs: [...refs], change })
  const runAll = (all: string, change: string) => send({ all, change })
  const send = async (input: Parameters<typeof action.run>[0]) => {
    const answer = await action.run(input)
    if ('result' in answer) tell(answer.result)
    else if ('error' in answer) toast({ tone: 'bad', text: answer.error.message })
    return 'result' in answer
  }
  return { pending: action.pending, run, runAll, tell }
}

function readResult(result: unknown): Told | null {
  if (typeof result !== 'object' || result === null) return null
  if (!('change' in result && 'refs' in result && 'changed' in result)) return null
  const { change, refs, changed } = result
  if (typeof change !== 'string' || typeof changed !== 'number' || !Array.isArray(refs)) return null
  return { change, changed, refs: refs.filter((ref) => typeof ref === 'string') }
}

/** "2 issues resolved". */
function issueChangeText(change: string, count: number): string {
  const issues = `${numberText(count)} ${count === 1 ? 'issue' : 'issues'}`
  const [verb = '', argument = ''] = change.split(':')
  switch (verb) {
    case 'resolve':
      if (argument === 'next') return `${issues} resolved in the next release`
      return argument === 'latest' ? `${issues} resolved in the latest release` : `${issues} resolved`
    case 'unresolve':
      return `${issues} unresolved again`
    case 'undo':
      return count === 0 ? 'Not undone: changed in the meantime' : `${issues} restored`
    case 'archive':
      if (argument === 'forever') return `${issues} archived`
      if (argument === 'escalating')
        return `${issues} archived until ${count === 1 ? 'it escalates' : 'they escalate'}`
      return `${issues} archived ${argument.startsWith('minutes') ? 'for' : 'until'} ${archiveEndText(argument)}`
    case 'assign':
      return argument === 'none' ? `${issues} unassigned` : `${issues} assigned`
    case 'priority':
      return `Priority of ${issues} set to ${argument}`
    default:
      return `${issues} merged into one`
  }
}

/** The change that takes it back; `null`: nothing does. */
function undoOf(change: string): string | null {
  const [verb = ''] = change.split(':')
  return UNDONE_BY[verb] ?? null
}

const UNDONE_BY: Readonly<Record<string, string>> = byWord({
  resolve: 'undo',
  archive: 'undo',
  assign: 'undo:assignee',
  priority: 'undo:priority',
  merge: 'undo:merge',
})
