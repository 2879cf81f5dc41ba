import { setTimeout as delay } from 'node:timers/promises'
import { compileSmall } from '@errata/server/compile-budget'
import { giveMemoryBack } from '@errata/server/idle-memory'
import { createLog } from '@errata/server/log'
import { requirePlaceApart } from '@errata/server/offline/backup'
import { unknownVariables } from '@errata/server/settings'
import { startBackupSchedule } from './backup-schedule.ts'
import { readOptions, SETTING_OPTIONS, type Subcommand, settingsFrom, settingsHelp } from './command-line.ts'
import { demoClock, fillDemo } from './demo/fill-demo.ts'
import { type StartedErrata, startWithSettings } from './start-errata.ts'
import { VERSION } from './version.ts'

const STOP_MS = 15_000
/** The process ends itself so that whoever supervises it starts it again. */
const EXIT_FAILED = 70

export const serveCommand: Subcommand = {
  name: ['serve'],
  summary: 'runs Errata',
  help: `errata serve [options]\n\nRuns Errata until it is stopped (SIGTERM or Ctrl+C drains first).\n\n${settingsHelp()}\n  --demo\n      Fills an empty data directory with a sample organisation through the ingest endpoint.`,
  async run(args) {
    const values = readOptions(args, { ...SETTING_OPTIONS, demo: { type: 'boolean' } })
    const settings = settingsFrom(values)
    const unknown = unknownVariables(process.env)
    if (unknown.length > 0) console.error(`Unknown settings, ignored: ${unknown.join(', ')}`)
    if (settings.backup.directory !== null) requirePlaceApart(settings.data, settings.backup.directory)
    const log = createLog({ level: settings.logLevel, thread: 'main' })
    compileSmall()
    giveMemoryBack(log)
    const isDemo = values.demo === true
    const clock = isDemo ? demoClock(settings.data) : null
    const errata = await startWithSettings({ settings, log, clock, sendsNothing: clock !== null })
    const closed = new AbortController()
    const stopped = stopOnSignal(errata, settings.stopPauseMs).finally(() => closed.abort())
    if (!settings.portChosen && errata.port !== settings.port) {
      console.log(`Port ${settings.port} is in use: this Errata listens on ${errata.port}.`)
    }
    // The sample brings its own owner: nobody will need the code.
    console.log(greeting(isDemo ? { ...errata, setupCode: null } : errata, settings.data))
    const print = (line: string) => console.log(line)
    const stopVisits = isDemo ? await fillDemo(errata, clock, { print, stop: closed.signal }) : () => {}
    const stopBackups = startBackupSchedule(settings, log)
    const failure = await Promise.race([stopped, errata.failed])
    stopBackups()
    stopVisits()
    if (typeof failure !== 'string') return 0
    log.error(
      'Errata is stopping: what it acknowledged is in the journal and will be stored after the next start',
      {
        reason: failure,
      },
    )
    setTimeout(() => process.exit(EXIT_FAILED), STOP_MS).unref()
    await errata.close()
    return EXIT_FAILED
  },
}

function greeting(errata: StartedErrata, directory: string): string {
  const lines = [
    `Errata ${VERSION} is running.`,
    `  Address      ${errata.url}`,
    `  Data         ${directory}`,
  ]
  const listening = `http://localhost:${errata.port}`
  if (errata.url !== listening) lines.push(`  Listening    ${listening}`)
  if (errata.setupCode !== null) {
    lines.push(`  Set it up    ${errata.url}/setup`, `  Setup code   ${errata.setupCode}`)
  }
  return lines.join('\n')
}

/**
 * Resolves when everything is closed. A second signal, or fifteen seconds beyond the pause, end the process at once: the
 * journal keeps what was acknowledged.
 */
function stopOnSignal(errata: StartedErrata, pauseMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let stopping = false
    const stop = () => {
      if (stopping) process.exit(1)
      stopping = true
      setTimeout(() => process.exit(1), pauseMs + STOP_MS).unref()
      // Told before anything is refused: whoever watches sends nobody here any more.
      errata.turnAway()
      delay(pauseMs)
        .then(() => errata.close())
        .then(resolve, reject)
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
}
