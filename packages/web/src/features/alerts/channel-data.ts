/** Data of a channel's page. */
import type { loadChannel } from './channels.server.ts'

export type ChannelPageData = Awaited<ReturnType<typeof loadChannel>>
export type ChannelData = NonNullable<ChannelPageData['channel']>
