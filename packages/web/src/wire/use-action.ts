/** Running actions from components. */
import { useCallback, useRef, useState } from 'react'
import type { ActionReply, FormOutcome, WireError } from './answers.ts'
import type { ActionBody } from './client.ts'
import type { Action } from './define-action.ts'
import { ServerFailure, UNREACHABLE } from './failures.ts'
import { useLocation, useNavigate, useRevalidator } from './router.ts'
import { useWire } from './wire-context.ts'

export type ActionFields = Readonly<Record<string, readonly string[]>>

export interface ActionState<T> {
  readonly pending: boolean
  readonly error: WireError | null
  /** Rules that each field broke. */
  readonly fields: ActionFields
  readonly result: T | null
}

export interface RunningAction<T, I> extends ActionState<T> {
  /** Runs it at the current address; answers what became of it. Fresh page data is applied before that. */
  run(
    input: I,
  ): Promise<{ readonly result: T } | { readonly error: WireError } | { readonly redirect: string }>
}

type InputOf<A> = A extends Action<unknown, infer I> ? I : unknown
type ResultOf<A> = A extends Action<infer T, infer _I> ? T : unknown

/** `useAction<typeof resolveIssues>('issue.resolve')`. Sends JSON, so the input keeps its types. */
export function useAction<A extends Action = Action>(name: string): RunningAction<ResultOf<A>, InputOf<A>> {
  const { state, send } = useSend<ResultOf<A>>(name)
  const run = useCallback((input: InputOf<A>) => send({ kind: 'json', input }), [send])
  return { ...state, run }
}

const IDLE = { pending: false, error: null, fields: {}, result: null } as const

/** The shared half of `useAction` and `ActionForm`. */
export function useSend<T>(name: string) {
  const { client } = useWire()
  const location = useLocation()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const [state, setState] = useState<ActionState<T>>(IDLE)
  const [failure, setFailure] = useState<ServerFailure | null>(null)
  const running = useRef(0)
  if (failure !== null) throw failure // an unexpected failure is the error page, whatever asked for it
  const path = `${location.pathname}${location.search}`

  const send = useCallback(
    async (body: ActionBody) => {
      running.current += 1
      const turn = running.current
      setState((before) => ({ ...before, pending: true, error: null, fields: {} }))
      const reply: ActionReply = client === null ? { error: UNREACHABLE } : await client.act(name, path, body)
      // Only the newest run shows in the state; each caller still gets its own answer.
      const show = (next: ActionState<T>) => turn === running.current && setState(next)
      if ('error' in reply) {
        if (reply.error.code === 'internal') setFailure(new ServerFailure(reply.error))
        show({ ...IDLE, error: reply.error, fields: reply.error.fields ?? {} })
        return { error: reply.error }
      }
      if ('redirect' in reply) {
        // Busy until then: nobody is asked about what they have just saved.
        await navigate(reply.redirect)
        show(IDLE)
        return reply
      }
      const result = reply.result as T // the action of this name answers T
      await revalidate()
      show({ ...IDLE, result })
      return { result }
    },
    [client, name, path, navigate, revalidate],
  )
  return { state, send }
}

/**
 * Returns the result of an action that had waited for its sender to confirm who they are, if the page came
 * with it; `null` for any other.
 */
export function useHeldOutcome(action: string): FormOutcome | null {
  const { form } = useWire()
  return form?.action === action ? form : null
}
