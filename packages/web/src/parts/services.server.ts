/** Loading and changing outside services, for their pages and actions. */
import type { Result } from '@errata/server/result'
import { objectWithRest, string } from 'valibot'
import { notFound } from '#wire/loader.ts'
import { seenField, textField } from './fields.server.ts'
import { withFieldNames } from './service-fields.ts'

interface KindForm {
  readonly kind: string
  readonly fields: readonly { readonly name: string; readonly isSecret: boolean }[]
}

/** Returns the form of a kind; 404 for one that there is not. */
export function formOf<Form extends KindForm>(forms: readonly Form[], kind: string): Form {
  return forms.find((form) => form.kind === kind) ?? notFound()
}

/** Returns the kind that an address names for a new service; `null` if it names none. */
export function chosenKind<Kind extends string>(kinds: readonly Kind[], url: URL): Kind | null {
  return kinds.find((kind) => kind === url.searchParams.get('kind')) ?? null
}

/** Returns the forms without their fields, as a page of kinds shows them. */
export function kindsOf<Form extends KindForm>(forms: readonly Form[]): readonly Omit<Form, 'fields'>[] {
  return forms.map(({ fields: _, ...form }) => form)
}

/** Returns the stored service that an address names by its number. */
export async function storedService<Service>(
  ref: string,
  read: (id: number) => Promise<Service | null>,
): Promise<Service> {
  const service = /^[1-9]\d{0,14}$/.test(ref) ? await read(Number(ref)) : null
  return service ?? notFound()
}

/** Fields that the form of every service sends, besides those of its kind. */
const SERVICE_FIELDS = { kind: textField, name: textField, seen: seenField }

/** Schema of a service's form; `own` are fields that all kinds have. */
export function serviceSchema<Own extends Parameters<typeof objectWithRest>[0]>(own: Own) {
  return objectWithRest({ ...SERVICE_FIELDS, ...own }, string('This must be text.'))
}

/** Saves a service: changes the one that the address names, or makes a new one and leads to its page. */
export async function saveService(of: {
  readonly forms: readonly KindForm[]
  /** Number in the address; nothing for a new one. */
  readonly ref: string | undefined
  readonly create: () => Promise<Result<{ readonly id: number }>>
  readonly change: (id: number) => Promise<Result<unknown>>
  readonly seen: (ref: string) => Promise<string>
  readonly path: (id: number) => string
}) {
  const { ref } = of
  if (ref !== undefined) {
    const done = withFieldNames(await of.change(Number(ref)), of.forms)
    return done.ok ? { result: { seen: await of.seen(ref) } } : done
  }
  const made = withFieldNames(await of.create(), of.forms)
  return made.ok ? { redirect: of.path(made.value.id) } : made
}
