/** The form of a channel, made of its kind's fields, beside the message that it makes. */

import { useEffect, useRef } from 'react'
import { fieldName } from '#parts/service-fields.ts'
import { ServiceForm } from '#parts/service-pages.tsx'
import { type ActionState, useSend } from '#wire/use-action.ts'
import type { ChannelPageData as Data } from './channel-data.ts'
import { MessagePicture } from './message-picture.tsx'
import type { Picture } from './picture.ts'

/** After the last key. */
const PREVIEW_WAIT_MS = 400

export function ChannelForm({ data }: { readonly data: Data }) {
  const { form, channel, mayWrite } = data
  const preview = useSend<Picture>('channel.preview')
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  // An effect, because a timer would outlive the page.
  useEffect(() => () => clearTimeout(typing.current), [])
  if (form === null) return null
  const show = (element: HTMLFormElement) => {
    const typed = new URLSearchParams()
    for (const [name, value] of new FormData(element))
      if (typeof value === 'string') typed.append(name, value)
    void preview.send({ kind: 'form', fields: typed })
  }
  const hasTemplate = form.fields.some(({ check }) => check === 'template')
  return (
    <div className="grid grid-cols-[minmax(0,26rem)_minmax(0,1fr)] max-wide:grid-cols-1">
      <div
        className="border-e p-6 max-wide:border-e-0 max-phone:p-4"
        onInput={(event) => {
          const element = event.currentTarget.querySelector('form')
          clearTimeout(typing.current)
          if (hasTemplate && element !== null)
            typing.current = setTimeout(() => show(element), PREVIEW_WAIT_MS)
        }}
      >
        <ServiceForm
          action="channel.save"
          what="channel"
          form={form}
          service={channel}
          seen={channel?.seen ?? null}
          mayWrite={mayWrite}
          nameHint="Shown in rules and the log, such as #shop-alerts."
          className="grid gap-4"
        />
      </div>
      <Preview
        picture={preview.state.result ?? data.picture}
        error={previewError(form.fields, preview.state)}
      />
    </div>
  )
}

/** The rules that fields broke, by the names that stand above them. */
function previewError(
  fields: NonNullable<Data['form']>['fields'],
  { error, fields: broken }: ActionState<Picture>,
): string | null {
  const rules = fields.flatMap((field) =>
    (broken[fieldName(field)] ?? []).map((rule) => `${field.label}: ${rule}`),
  )
  return rules.length > 0 ? rules.join(' ') : (error?.message ?? null)
}

function Preview({ picture, error }: { readonly picture: Picture | null; readonly error: string | null }) {
  if (picture === null) return null
  return (
    <section aria-label="Preview" className="min-w-0 p-6 max-phone:p-4">
      <h2 className="text-13 font-strong">Preview</h2>
      <p className="mb-3 text-12 text-ink-3">A sample alert, as it will be delivered.</p>
      {error === null ? null : (
        <p role="alert" className="mb-3 text-13 text-bad">
          {error}
        </p>
      )}
      <div className="max-w-160">
        <MessagePicture picture={picture} />
      </div>
    </section>
  )
}
