/** A set-up product behind a recorder, which its token names: whoever follows the token is seen. */
import {
  keyIsKnown,
  newDataDirectory,
  type RunningErrata,
  type SetUp,
  serve,
  setUp,
} from '../support/start-errata.ts'
import { type Recorder, recorderOf } from './recorder.ts'

export interface RecordedShop extends AsyncDisposable {
  readonly running: RunningErrata
  readonly recorder: Recorder
  /** Set-up in the words that tools use. */
  readonly recorded: SetUp
  /** The same without the recorder, for what the test itself asks. */
  readonly shop: SetUp
}

export async function startRecordedShop(): Promise<RecordedShop> {
  const data = await newDataDirectory()
  const running = await serve({ data })
  const recorder = await recorderOf(running.url)
  const close = async () => {
    await recorder[Symbol.asyncDispose]()
    await running[Symbol.asyncDispose]()
  }
  try {
    const recorded = await setUp(data, recorder.url)
    const dsn = recorded.dsn.replace(new URL(recorder.url).host, new URL(running.url).host)
    await keyIsKnown(running.url, dsn)
    const shop = { ...recorded, url: running.url, dsn }
    return { running, recorder, recorded, shop, [Symbol.asyncDispose]: close }
  } catch (cause) {
    await close() // else the process outlives the failed suite
    throw cause
  }
}
