/** Actions: named, permission-checked, schema-checked changes. Never for reads. */
import type { Permission } from '@errata/server/access'
import { max } from '@errata/server/limits'
import type { Refusal, Result } from '@errata/server/result'
import { type BaseIssue, type GenericSchema, getDotPath, type InferOutput, safeParseAsync } from 'valibot'
import type {
  ActionAccess,
  ActionAnswer,
  ActionError,
  LoaderContext,
  OrgContext,
  SessionControl,
  ViewerContext,
} from './types.ts'

/** Input of `run`: the viewer if the access asks for one, the scope if it is a permission. */
export type ActionContext<A extends ActionAccess> = {
  readonly session: SessionControl
} & (A extends Permission ? OrgContext : A extends 'anyone' ? LoaderContext : ViewerContext)

/** Context of any action, before its access narrows it. The wire has checked `access` before `call`. */
export type AnyActionContext = LoaderContext & { readonly session: SessionControl }

export interface Action<T = unknown, I = unknown> {
  /** Name such as `issue.resolve`; unique in the app, and part of the wire. */
  readonly name: string
  readonly access: ActionAccess
  /** A plain form post renders the result into the page instead of redirecting: for what is shown once. */
  readonly rendersResult: boolean
  /** After it, whoever runs it has confirmed who they are. */
  readonly confirms: boolean
  /** Reads what it changes of some pages; `null`: whatever a page shows may be another after it. */
  readonly part: ChangedPart | null
  /** Most bytes of the body; `formBytesMax` by default, at most `longFormBytesMax`. */
  readonly bodyBytesMax?: number
  /** Checks the input and runs. */
  call(ctx: AnyActionContext, input: unknown): Promise<ActionAnswer<T>>
  /** Never set; carries the input's type to `useAction`. */
  readonly input?: I
}

/** All that an action changes of the data of these pages. */
export interface ChangedPart {
  /** Ids of their routes. */
  readonly pages: readonly string[]
  read(ctx: LoaderContext): Promise<Readonly<Record<string, unknown>>>
}

/**
 * Makes an action. `run` answers an `ActionAnswer`, or a command's `Result` as it is. The input is JSON of
 * `useAction`, or the fields of a form: strings, where `name[]` gives a list (see `form-body.ts`).
 */
export function defineAction<A extends ActionAccess, S extends GenericSchema, T>(
  name: string,
  access: A,
  schema: S,
  run: (ctx: ActionContext<A>, input: InferOutput<S>) => Promise<ActionAnswer<T> | Result<T>>,
): Action<T, InferOutput<S>> {
  return {
    name,
    access,
    rendersResult: false,
    confirms: false,
    part: null,
    async call(ctx, input) {
      const read = await safeParseAsync(schema, input)
      if (!read.success) return { error: invalidInput(read.issues) }
      const narrowed = ctx as ActionContext<A> // the wire added viewer and scope as `access` asks
      const answer = await run(narrowed, read.output)
      if (!('ok' in answer)) return answer
      return answer.ok ? { result: answer.value } : { error: actionError(answer) }
    },
  }
}

/** The same action for what is shown once: a plain form post renders the result into the page, without redirecting. */
export function shownOnce<T, I>(action: Action<T, I>): Action<T, I> {
  return { ...action, rendersResult: true }
}

/** The same action for one that asks who somebody is: what waited for that runs after it. */
export function confirming<T, I>(action: Action<T, I>): Action<T, I> {
  return { ...action, confirms: true }
}

/** The same action for a change that leaves all else of its pages as it is: they are not read anew. */
export function changing<T, I>(part: ChangedPart, action: Action<T, I>): Action<T, I> {
  return { ...action, part }
}

/** The same action for a form with a file pasted into it. */
export function longForm<T, I>(action: Action<T, I>): Action<T, I> {
  return { ...action, bodyBytesMax: max('longFormBytesMax') }
}

/** A command's refusal as an action's error. */
function actionError(refused: Refusal): ActionError {
  const { ok: _, fields, ...error } = refused
  return fields === undefined ? error : { ...error, fields: withLastNames(fields) }
}

/** Commands name fields by path (`options.rateLimit.count`, `teams.0`); a form knows them by their own name, too. */
function withLastNames(fields: NonNullable<ActionError['fields']>): NonNullable<ActionError['fields']> {
  const named: Record<string, readonly string[]> = { ...fields }
  for (const [path, rules] of Object.entries(fields)) {
    const own = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path
    named[own] ??= rules
  }
  return named
}

function invalidInput(issues: readonly BaseIssue<unknown>[]): ActionError {
  const fields: Record<string, string[]> = {}
  for (const issue of issues) {
    const field = getDotPath(issue)?.split('.')[0] ?? ''
    const rules = fields[field]
    if (rules === undefined) fields[field] = [issue.message]
    else if (!rules.includes(issue.message)) rules.push(issue.message)
  }
  const names = Object.keys(fields).filter((name) => name !== '')
  const message =
    names.length === 0
      ? 'The request can’t be read. Reload the page and try again.'
      : `Please check: ${names.join(', ')}.`
  return { code: 'invalid_input', message, fields }
}
