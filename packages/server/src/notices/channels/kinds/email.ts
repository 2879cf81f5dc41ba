/** Email to an address that belongs to no member, such as a list. Sent over SMTP, so there is no call. */
import type { ChannelType } from '../channel-type.ts'

export const email: ChannelType = {
  kind: 'email',
  label: 'Email',
  about: 'To one address, such as a mailing list',
  fields: [
    {
      ...{ name: 'address', label: 'Address', isSecret: false, isRequired: true, check: 'email' },
      hint: 'Everyone who reads it sees alerts from the projects that its rules watch.',
    },
  ],
  call: () => null,
}
