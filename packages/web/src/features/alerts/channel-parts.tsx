/** Actions on a channel: a test with its result, and deletion with what goes along. */
import { FormRefusal, Submit } from '#parts/form-parts.tsx'
import { Dialog, DialogButton, DialogCancel, useDialogId } from '#ui/dialog.tsx'
import { Section } from '#ui/section.tsx'
import { ActionForm } from '#wire/action-form.tsx'
import { AnswerMark } from './answer-mark.tsx'
import type { ChannelData } from './channel-data.ts'
import { lossText } from './channel-form.ts'

interface TestResult {
  readonly sent: boolean
  readonly says: string
}

export function ChannelTest({ channel }: { readonly channel: ChannelData }) {
  return (
    <Section title="Test" note="Sends a message marked as a test">
      <ActionForm<TestResult>
        action="channel.test"
        hidden={{ channel: channel.id }}
        className="grid max-w-160 gap-2"
      >
        {({ result, pending }) => (
          <>
            <div>
              <Submit variant="plain">Send a test</Submit>
            </div>
            <FormRefusal />
            {result === null || pending ? null : (
              <p role="status" className="text-13">
                <AnswerMark state={result.sent ? 'sent' : 'failed'}>
                  {`${result.sent ? 'Delivered' : 'Not delivered'}: ${result.says}`}
                </AnswerMark>
              </p>
            )}
          </>
        )}
      </ActionForm>
    </Section>
  )
}

export function DeleteChannel({ channel }: { readonly channel: ChannelData }) {
  const dialog = useDialogId()
  return (
    <Section title="Delete">
      <DialogButton dialog={dialog} variant="danger-plain">
        Delete channel
      </DialogButton>
      <Dialog id={dialog} title={`Delete ${channel.name}?`}>
        <p className="mb-4 text-13 text-ink-2">{lossText(channel)}</p>
        <ActionForm action="channel.delete" hidden={{ channel: channel.id }} className="grid gap-3">
          <FormRefusal />
          <div className="flex justify-end gap-2">
            <DialogCancel dialog={dialog}>Cancel</DialogCancel>
            <Submit variant="danger">Delete channel</Submit>
          </div>
        </ActionForm>
      </Dialog>
    </Section>
  )
}
