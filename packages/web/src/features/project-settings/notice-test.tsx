import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { Icon } from '#ui/icons.tsx'
import { ActionForm } from '#wire/action-form.tsx'

interface TestResult {
  readonly sent: boolean
  readonly says: string
  readonly to: string
}

/** Sends one now and says what came of it. */
export function NoticeTest(props: { readonly channel: 'mail' | 'webhook'; readonly note: string }) {
  return (
    <ActionForm<TestResult>
      action="notices.test"
      hidden={{ channel: props.channel }}
      className="mt-4 grid max-w-160 gap-2"
    >
      {({ result, pending }) => (
        <>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <Submit variant="plain">Send test</Submit>
            <span className="foreign text-12 text-ink-3">{props.note}</span>
          </div>
          <FormRefusal />
          {result === null || pending ? null : (
            <p role="status" className="flex gap-2 text-13">
              <Icon
                name={result.sent ? 'check' : 'exclamation'}
                className={`mt-0.5 shrink-0 ${result.sent ? 'text-good' : 'text-bad'}`}
              />
              <span className="foreign">
                {`${result.sent ? 'Sent' : 'Not sent'} to ${result.to}: ${result.says}`}
              </span>
            </p>
          )}
        </>
      )}
    </ActionForm>
  )
}
