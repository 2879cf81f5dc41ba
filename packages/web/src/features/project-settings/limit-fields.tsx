import { FormText } from '#parts/form-parts.tsx'

/** A rate limit: so many events in so many seconds, or none. */
export function LimitFields({
  limit,
}: {
  readonly limit: { readonly count: number; readonly window: number } | null
}) {
  return (
    <fieldset className="grid grid-cols-2 items-start gap-4">
      <legend className="visually-hidden">Rate limit</legend>
      <FormText
        name="count"
        label="Rate limit"
        unit="events"
        inputMode="numeric"
        initial={limit?.count}
        hint="Leave empty for no limit."
      />
      <FormText
        name="window"
        label="Period"
        unit="seconds"
        inputMode="numeric"
        initial={limit?.window ?? 60}
        hint="1 to 86,400."
      />
    </fieldset>
  )
}
