import { CHANNEL_FORMS } from '@errata/server/commands'
import type { Channel } from '@errata/server/queries'

export function serviceOf(kind: Channel['kind']): string {
  return CHANNEL_FORMS.find((form) => form.kind === kind)?.label ?? kind
}
