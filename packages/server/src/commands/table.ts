/** Every command that runs by its name. */
import { deleteAttachment } from './attachments.ts'
import { changeChannel, createChannel, deleteChannel } from './channel-set-up.ts'
import { hideEnvironment, moveEnvironment, orderEnvironments } from './environments.ts'
import { changeSearch, createSearch, deleteSearch, setListPreferences } from './searches.ts'

export const COMMANDS = {
  deleteAttachment,
  ...{ createChannel, changeChannel, deleteChannel },
  ...{ hideEnvironment, moveEnvironment, orderEnvironments },
  ...{ createSearch, changeSearch, deleteSearch, setListPreferences },
}

type Table = typeof COMMANDS
export type CommandName = keyof Table
export type GivenOf<N extends CommandName> = Parameters<Table[N]['input']>[0]
export type PreparedOf<N extends CommandName> = Parameters<Table[N]['change']>[1]
type ResultOf<N extends CommandName> = Awaited<ReturnType<Table[N]['change']>>
export type ValueOf<N extends CommandName> = Extract<ResultOf<N>, { readonly ok: true }>['value']
