/** A form that runs an action: a real form post without script, the same with headers once hydrated. */
import {
  createContext,
  type FormEvent,
  type FormHTMLAttributes,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { FormValues, WireError } from './answers.ts'
import { brokenFields, stillBroken } from './field-rules.ts'
import { FIELDS } from './names.ts'
import { useLocation } from './router.ts'
import { type ActionFields, useSend } from './use-action.ts'
import { useWire } from './wire-context.ts'

export interface ActionFormState<T = unknown> {
  readonly pending: boolean
  readonly error: WireError | null
  readonly fields: ActionFields
  readonly result: T | null
  /** Values typed before a refusal, without secrets; empty otherwise. */
  readonly values: FormValues
}

export type Hidden = Readonly<
  Record<string, string | number | readonly (string | number)[] | null | undefined>
>

type FormAttributes = Omit<
  FormHTMLAttributes<HTMLFormElement>,
  'action' | 'method' | 'onSubmit' | 'onInput' | 'noValidate' | 'children' | 'hidden'
>

export interface ActionFormProps<T> extends FormAttributes {
  /** Name of the action. */
  readonly action: string
  /** Fields the person does not see. */
  readonly hidden?: Hidden
  /** After a hydrated run that was not refused and did not redirect. */
  readonly onResult?: (result: T) => void
  /** Empties the fields after such a run. */
  readonly resets?: boolean
  readonly children: ReactNode | ((form: ActionFormState<T>) => ReactNode)
}

/** Nothing was held back. */
const SENT = { fields: {}, refusals: 0 } as const

const FormContext = createContext<ActionFormState | null>(null)

/** State of the form around a component: what runs, what was refused, what was typed. */
export function useActionForm(): ActionFormState {
  const state = useContext(FormContext)
  if (state === null) throw new Error('useActionForm is used outside an ActionForm')
  return state
}

/** `<ActionForm<TokenResult> action="token.create">` says what the action of that name answers. */
export function ActionForm<T = unknown>(props: ActionFormProps<T>) {
  const { action, hidden, onResult, resets, children, ...rest } = props
  const location = useLocation()
  const { form: posted } = useWire()
  const { state, send } = useSend<T>(action)
  const element = useRef<HTMLFormElement>(null)
  const touched = useRef(false)
  const [unsent, setUnsent] = useState<{ readonly fields: ActionFields; readonly refusals: number }>(SENT)
  const pairs = hiddenPairs(hidden)
  const key = formKey(action, pairs)
  const fromPost = posted?.form === key && !touched.current ? posted : null
  const answered =
    fromPost === null ? state : { ...state, ...postedState<T>(fromPost.error, fromPost.result) }
  const form: ActionFormState<T> = {
    ...answered,
    fields: { ...answered.fields, ...unsent.fields },
    values: fromPost?.values ?? {},
  }
  const { error } = state
  const { refusals } = unsent
  // After a refusal the first broken field takes the focus: an effect, because the field must be marked first.
  useEffect(() => {
    if (error !== null || refusals > 0)
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error, refusals])

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (state.pending) return
    const target = event.currentTarget
    const broken = brokenFields(target)
    const isWhole = Object.keys(broken).length === 0
    setUnsent((before) => (isWhole ? SENT : { fields: broken, refusals: before.refusals + 1 }))
    if (!isWhole) return
    touched.current = true
    const submitter = (event.nativeEvent as SubmitEvent).submitter // React types the native event as Event
    const reply = await send({ kind: 'form', fields: readFormFields(target, submitter) })
    if (!('result' in reply)) return
    if (resets === true) target.reset()
    onResult?.(reply.result)
  }

  return (
    <form
      {...rest}
      ref={element}
      method="post"
      action={`${location.pathname}${location.search}`}
      noValidate
      onSubmit={(event) => void submit(event)}
      onInput={({ currentTarget }) =>
        setUnsent((before) =>
          before === SENT ? SENT : { ...before, fields: stillBroken(currentTarget, before.fields) },
        )
      }
      aria-busy={form.pending}
    >
      <input type="hidden" name={FIELDS.action} value={action} />
      <input type="hidden" name={FIELDS.form} value={key} />
      {pairs.map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      <FormContext value={form}>{typeof children === 'function' ? children(form) : children}</FormContext>
    </form>
  )
}

function postedState<T>(error: WireError | null, result: unknown) {
  return {
    error,
    result: result as T | null, // the action of this name answered it
    fields: error?.fields ?? {},
  }
}

/** Lists become `name[]`, once for each value: how `form-body.ts` reads them. */
function hiddenPairs(hidden: Hidden | undefined): readonly (readonly [string, string])[] {
  return Object.entries(hidden ?? {}).flatMap(([name, value]) => {
    if (value === null || value === undefined) return []
    if (typeof value !== 'object') return [[name, String(value)] as const]
    return value.map((one) => [`${name}[]`, String(one)] as const)
  })
}

function formKey(action: string, pairs: readonly (readonly [string, string])[]): string {
  return [action, ...pairs.map(([name, value]) => `${name}=${value}`)].join('&').slice(0, FORM_KEY_CHARS_MAX)
}

/** Enough to tell the forms of one page apart. */
const FORM_KEY_CHARS_MAX = 200

function readFormFields(form: HTMLFormElement, submitter: HTMLElement | null): URLSearchParams {
  const fields = new URLSearchParams()
  for (const [name, value] of new FormData(form, submitter)) {
    if (typeof value === 'string') fields.append(name, value)
  }
  return fields
}
