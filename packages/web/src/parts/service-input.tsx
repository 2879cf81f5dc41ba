/** Field of an outside service. */
import { FormLines, FormText } from './form-parts.tsx'
import { fieldName } from './service-fields.ts'

/** A field of a kind's form. */
export interface ServiceField {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly isSecret: boolean
  readonly isRequired: boolean
  readonly check: string
}

/** Stored values of a service; of secrets only that they are set. */
export interface StoredService {
  readonly settings: Readonly<Record<string, string>>
  readonly secretsSet: readonly string[]
}

export function ServiceInput({
  field,
  service,
}: {
  readonly field: ServiceField
  /** `null`: it is new. */
  readonly service: StoredService | null
}) {
  const { label, hint, isSecret, isRequired, check } = field
  const name = fieldName(field)
  if (isSecret) {
    const isSet = service?.secretsSet.includes(field.name) === true
    return (
      <FormText
        {...{ name, label }}
        type="password"
        autoComplete="new-password"
        placeholder={isSet ? 'Set' : undefined}
        hint={isSet ? `${hint} It is set and isn’t shown again; leave empty to keep it.` : hint}
        required={isRequired && !isSet}
      />
    )
  }
  const initial = service?.settings[field.name]
  if (check === 'template')
    return (
      <FormLines {...{ name, label, hint, initial }} mono rows={12} spellCheck={false} autoComplete="off" />
    )
  return (
    <FormText
      {...{ name, label, hint, initial }}
      type={check === 'email' ? 'email' : check === 'url' ? 'url' : 'text'}
      mono={check === 'url'}
      required={isRequired}
      autoComplete="off"
    />
  )
}
