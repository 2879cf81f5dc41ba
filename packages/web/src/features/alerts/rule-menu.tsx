/** Menu of a rule, wherever it is named. */
import { Menu, MenuLine, menuItem } from '#ui/menu.tsx'
import { quantityText } from '#ui/number-text.ts'
import { useToast } from '#ui/toast.tsx'
import { ActionForm } from '#wire/action-form.tsx'

interface Ruled {
  readonly id: number
  readonly name: string
  readonly isOn: boolean
  readonly muted: object | null
}

export function RuleMenu({ rule }: { readonly rule: Ruled }) {
  return (
    <Menu
      className="btn btn-quiet touch"
      label="•••"
      name={`Changes of ${rule.name}`}
      chevron={false}
      align="end"
    >
      <TestEntry rule={rule} />
      <MenuEntry action="alerts.switch" rule={rule} more={{ on: rule.isOn ? 'off' : 'on' }}>
        {rule.isOn ? 'Turn off' : 'Turn on'}
      </MenuEntry>
      <MenuLine />
      <MuteEntries rule={rule} />
      <MenuLine />
      <MenuEntry action="alerts.delete" rule={rule}>
        Delete
      </MenuEntry>
    </Menu>
  )
}

export function MuteEntries({ rule }: { readonly rule: Ruled }) {
  if (rule.muted !== null)
    return (
      <MenuEntry action="alerts.mute" rule={rule} more={{ until: 'now' }}>
        Unmute
      </MenuEntry>
    )
  return (
    <>
      <MenuEntry action="alerts.mute" rule={rule} more={{ until: 'hour' }}>
        Mute for 1 hour
      </MenuEntry>
      <MenuEntry action="alerts.mute" rule={rule} more={{ until: 'monday' }}>
        Mute until Monday
      </MenuEntry>
      <MenuEntry action="alerts.mute" rule={rule} more={{ until: 'forever' }}>
        Mute forever
      </MenuEntry>
    </>
  )
}

export function MenuEntry(props: {
  readonly action: string
  readonly rule: Pick<Ruled, 'id'>
  readonly more?: Readonly<Record<string, string>>
  readonly children: string
}) {
  return (
    <ActionForm action={props.action} hidden={{ rule: props.rule.id, ...props.more }}>
      <button type="submit" className={menuItem}>
        {props.children}
      </button>
    </ActionForm>
  )
}

function TestEntry({ rule }: { readonly rule: Ruled }) {
  const toast = useToast()
  return (
    <ActionForm<{ readonly messages: number }>
      action="alerts.test"
      hidden={{ rule: rule.id }}
      onResult={({ messages }) => toast({ text: `Sent ${quantityText(messages, 'test')}` })}
    >
      <button type="submit" className={menuItem}>
        Send a test
      </button>
    </ActionForm>
  )
}
