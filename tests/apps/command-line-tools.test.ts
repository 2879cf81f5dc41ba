/** The command-line tools people have, with nothing set but four variables: maps, and all they do with releases. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { apiGet } from '../support/api.ts'
import { startShop } from '../support/start-errata.ts'
import { type App, buildEnvironment, installedApp, ran, runTool } from './app.ts'
import { assertFrames, eventOf, issueOf, type Place } from './frames.ts'
import { mapsReady } from './maps-ready.ts'
import { assertReleased, follower } from './printed-cli.ts'
import { type RecordedShop, startRecordedShop } from './recorded-shop.ts'
import { chunksIn, refusedIn } from './recorder.ts'
import { startedApp } from './server-process.ts'

type Command = readonly [string, ...string[]]

/** The same things to do, as each tool wants to be told. */
interface Tool {
  readonly name: string
  readonly release: string
  readonly inject: Command
  readonly upload: Command
  readonly create: Command
  readonly local: Command
  readonly auto: Command
  readonly commit: (sha: string) => Command
  readonly finalize: Command
  readonly deploy: Command
  readonly deploys: Command
  readonly list: Command
  readonly show: Command
  readonly archive: Command
  readonly restore: Command
  readonly remove: Command
}

function sentryCli(name: string, { bin, release }: { readonly bin: string; readonly release: string }): Tool {
  const releases = (verb: string, ...args: string[]): Command => [bin, 'releases', verb, ...args]
  const commits = (...args: string[]) => releases('set-commits', release, ...args)
  return {
    ...{ name, release },
    inject: [bin, 'sourcemaps', 'inject', 'dist'],
    upload: [bin, 'sourcemaps', 'upload', '--release', release, 'dist'],
    create: releases('new', release, '--url', 'https://ci.example/7'),
    local: commits('--local'),
    auto: commits('--auto'),
    commit: (sha) => commits('--commit', `acme/shop@${sha}`),
    finalize: releases('finalize', release),
    deploy: [bin, 'deploys', 'new', '--release', release, '--env', 'production', '--name', 'blue'],
    deploys: [bin, 'deploys', 'list', '--release', release],
    list: releases('list'),
    show: releases('info', release, '--show-commits', '--show-projects'),
    archive: releases('archive', release),
    restore: releases('restore', release),
    remove: releases('delete', release),
  }
}

function npmSentry(release: string): Tool {
  const path = `shop/${release}`
  const run = (verb: string, ...args: string[]): Command => ['sentry', 'release', verb, path, ...args]
  return {
    ...{ name: 'npm sentry', release },
    inject: ['sentry', 'sourcemap', 'inject', 'dist'],
    upload: ['sentry', 'sourcemap', 'upload', '--release', release, 'dist'],
    create: run('create', '--project', 'web', '--url', 'https://ci.example/7'),
    local: run('set-commits', '--local'),
    auto: run('set-commits', '--auto'),
    commit: (sha) => run('set-commits', '--commit', `acme/shop@${sha}`),
    finalize: run('finalize'),
    deploy: run('deploy', 'production', 'blue'),
    deploys: run('deploys'),
    // Its table cuts long names off.
    list: ['sentry', 'release', 'list', 'shop/web', '--json'],
    show: run('view'),
    archive: run('archive'),
    restore: run('restore'),
    remove: run('delete', '--yes'),
  }
}

const TOOLS: readonly Tool[] = [
  sentryCli('sentry-cli 2', { bin: 'sentry-cli-2/bin/sentry-cli', release: 'shop tools@2.0.0+build 7' }),
  sentryCli('sentry-cli 3', { bin: '@sentry/cli/bin/sentry-cli', release: 'shop-tools@3.0.0+a%2Fb' }),
  npmSentry('shop-tools@4.0.0+build'),
]

const PLACES: readonly Place[] = [
  ['src/inventory.ts', 'Inventory.take', 'if (left < 0) throw'],
  ['src/server.ts', '/stock', "inventory.take('tea', 5)"],
  ['src/server.ts', 'server', 'await route(request)'],
]
const STOCK = '"of tea are missing"'

interface ApiRelease {
  readonly version: string
  readonly status: string
  readonly url: string | null
  readonly dateReleased: string | null
  readonly commitCount: number
  readonly lastCommit: { readonly id: string } | null
  readonly lastDeploy: { readonly environment: string; readonly name: string } | null
}

describe('a command-line tool', () => {
  let errata: RecordedShop
  let app: App
  let shas: readonly string[] = []
  const home = mkdtempSync(join(tmpdir(), 'errata-apps-'))
  const repository = join(home, 'shop')
  before(async () => {
    errata = await startRecordedShop()
    app = await installedApp('tools', ['server'])
    shas = await commitsIn(repository)
  })
  after(async () => {
    await errata?.[Symbol.asyncDispose]()
    rmSync(home, { recursive: true, force: true })
  })

  /** Runs a command in the app's folder or in a checkout; returns its output and the requests it made. */
  const done = async (command: Command, cwd: string) => {
    errata.recorder.taken()
    const env = { ...buildEnvironment(errata.recorded, home), SENTRY_CLI_NO_TELEMETRY: '1' }
    const output = await runTool(app, command, { env, cwd })
    return { output, calls: errata.recorder.taken() }
  }
  /** The same, where nothing may be refused on the way. */
  const granted = async (command: Command, cwd = repository) => {
    const { output, calls } = await done(command, cwd)
    assert.deepEqual(refusedIn(calls), [], output)
    return { output, calls }
  }
  const addressOf = ({ release }: Tool) => `/organizations/shop/releases/${encodeURIComponent(release)}/`
  const releaseOf = (tool: Tool) => apiGet<ApiRelease>(errata.shop, addressOf(tool))

  for (const tool of TOOLS) {
    describe(tool.name, () => {
      it('gives debug ids and uploads, once', async () => {
        const built = join(app.root, 'dist/server.mjs')
        await granted(['node', 'build.mjs'], app.root)
        await granted(tool.inject, app.root)
        const injected = readFileSync(built, 'utf8')
        assert.match(injected, /debugId=[0-9a-f-]{36}/)
        const first = await granted(tool.upload, app.root)
        assert.ok(chunksIn(first.calls).length > 0, first.output)
        await granted(tool.inject, app.root)
        assert.equal(readFileSync(built, 'utf8'), injected)
        const second = await granted(tool.upload, app.root)
        assert.deepEqual(chunksIn(second.calls), [], second.output)
      })

      it('makes a stack read as it was written', async () => {
        assert.ok((await mapsReady(errata.running.data)) > 0)
        await using running = await startedApp(app, {
          args: ['--import', './instrument.mjs', 'dist/server.mjs'],
          env: { SENTRY_DSN: errata.shop.dsn, SENTRY_RELEASE: tool.release },
        })
        await fetch(new URL('/stock', running.url))
        assertFrames(app, await eventOf(errata.shop, STOCK, `"${tool.release}"`), PLACES)
      })

      it('makes a release, and sets its commits in each way', async () => {
        await granted(tool.create)
        assert.equal((await releaseOf(tool)).url, 'https://ci.example/7')
        for (const way of [tool.local, tool.auto, tool.commit(shas[0] ?? '')]) {
          const { output } = await granted(way)
          const { commitCount, lastCommit } = await releaseOf(tool)
          assert.equal(lastCommit?.id, shas[0], `${way.join(' ')}: ${output}`)
          assert.ok(commitCount >= 1)
        }
        await granted(tool.local)
        const commits = await apiGet<readonly { id: string }[]>(errata.shop, `${addressOf(tool)}commits/`)
        assert.deepEqual(
          commits.map(({ id }) => id),
          shas,
        )
      })

      it('finalizes it and notes where it was deployed', async () => {
        await granted(tool.finalize)
        await granted(tool.deploy)
        const { dateReleased, lastDeploy } = await releaseOf(tool)
        assert.ok(dateReleased !== null)
        assert.deepEqual([lastDeploy?.environment, lastDeploy?.name], ['production', 'blue'])
        assert.match((await granted(tool.deploys)).output, /production/)
      })

      it('lists and shows it', async () => {
        for (const command of [tool.list, tool.show])
          assert.ok((await granted(command)).output.includes(tool.release), command.join(' '))
      })

      it('archives, restores and deletes it', async () => {
        await granted(tool.archive)
        assert.equal((await releaseOf(tool)).status, 'archived')
        await granted(tool.restore)
        assert.equal((await releaseOf(tool)).status, 'open')
        await granted(tool.remove)
        const headers = { authorization: `Bearer ${errata.shop.token}` }
        const answer = await fetch(`${errata.shop.url}/api/0${addressOf(tool)}`, { headers })
        assert.equal(answer.status, 404)
      })
    })
  }

  for (const [name, bin] of [
    ['sentry-cli 2', 'sentry-cli-2/bin/sentry-cli'],
    ['sentry-cli 3', '@sentry/cli/bin/sentry-cli'],
  ] as const)
    it(`${name} lists events and issues, resolves, mutes and unresolves them`, async () => {
      const { id, shortId } = await issueOf(errata.shop, STOCK)
      const status = async () =>
        (await apiGet<{ status: string }>(errata.shop, `/organizations/shop/issues/${id}/`)).status
      assert.match((await granted([bin, 'issues', 'list'])).output, new RegExp(shortId))
      assert.match(
        (await granted([bin, 'events', 'list', '--show-tags', '--show-user'])).output,
        /of tea are missing/,
      )
      const steps: readonly (readonly [string, readonly string[]])[] = [
        ['resolved', ['resolve', '--id', id]],
        ['unresolved', ['unresolve', '--id', id]],
        ['ignored', ['mute', '--id', id]],
        ['unresolved', ['unresolve', '--status', 'muted']],
      ]
      for (const [wanted, args] of steps) {
        const { output } = await granted([bin, 'issues', ...args])
        assert.equal(await status(), wanted, output)
      }
    })

  it('npm sentry reads issues and events, and resolves, archives and unresolves them', async () => {
    const { shortId } = await issueOf(errata.shop, STOCK)
    for (const [args, said] of [
      [['org', 'list'], /shop/],
      [['project', 'list', 'shop/'], /web/],
      [['project', 'view', 'shop/web'], /web/],
      [['team', 'list', 'shop/'], /shop/],
      [['dsn', 'list', 'shop/web'], /http/],
      [['issue', 'list', 'shop/web'], /of tea/],
      [['issue', 'view', shortId], /of tea/],
      [['issue', 'events', shortId], /Showing/],
      [['issue', 'resolve', shortId], /of tea/],
      [['issue', 'unresolve', shortId], /of tea/],
      [['issue', 'archive', shortId], /of tea/],
      [['issue', 'unresolve', shortId], /of tea/],
      [['explore', 'shop/', '--dataset', 'errors'], /Showing/],
      [['explore', 'shop/web', '--field', 'title', '--field', 'count()'], /of tea/],
      [['span', 'list', 'shop/web'], /span/i],
      [['trace', 'list', 'shop/web'], /trace/i],
      [['dashboard', 'list', 'shop/'], /No dashboards/],
      [['alert', 'issues', 'list', 'shop/web'], /Escalating.*active/],
      [['alert', 'metrics', 'list', 'shop/'], /Metric alert rules in shop/],
    ] as const) {
      const { output, calls } = await done(['sentry', ...args], repository)
      // There are no replays, and the tool goes on without them.
      assert.deepEqual(
        refusedIn(calls).filter((call) => !call.includes('/replay-count/')),
        [],
        output,
      )
      assert.match(output, said, args.join(' '))
    }
  })

  it('npm sentry makes, changes and deletes rules of issues and metrics', async () => {
    const json = JSON.stringify
    const [condition, config] = [{ comparison: true, conditionResult: true }, { targetType: 'team' }]
    const [trigger, action] = [
      json({ ...condition, type: 'first_seen_event' }),
      json({ type: 'email', data: {}, config: { ...config, targetIdentifier: '1' } }),
    ]
    const question = ['--query', 'event.type:error', '--aggregate', 'count()', '--dataset', 'errors']
    const over = json({ alertThreshold: 100 })
    const alert = (...args: string[]) => granted(['sentry', 'alert', ...args])
    await alert('issues', 'create', 'shop/web', '--name', 'Fresh', '--condition', trigger, '--action', action)
    assert.match((await alert('issues', 'edit', 'shop/web/Fresh', '--status', 'disabled')).output, /disabled/)
    assert.match((await alert('issues', 'view', 'shop/web/Fresh')).output, /Status: +disabled/)
    await alert('issues', 'delete', 'shop/web/Fresh', '--yes')
    const made = [...question, '--time-window', '15', '--project', 'web', '--trigger', over]
    // It looks for a project of that name first, and there is none.
    await done(['sentry', 'alert', 'metrics', 'create', 'shop', '--name', 'Many', ...made], repository)
    assert.match((await alert('metrics', 'edit', 'shop/Many', '--status', 'disabled')).output, /disabled/)
    assert.match((await alert('metrics', 'view', 'shop/Many')).output, /count\(\)/)
    await alert('metrics', 'delete', 'shop/Many', '--yes')
  })

  it('npm sentry says what Errata has not', async () => {
    for (const [args, said] of [
      [['replay', 'list', 'shop/'], /stores no session replays/],
      [['log', 'list', 'shop/web'], /Logs are not stored/],
      [['monitor', 'list', 'shop/'], /no cron check-ins/],
      [['trial', 'list', 'shop'], /no plans/],
      [['agent-conversation', 'list', 'shop'], /no conversations/],
    ] as const) {
      await assert.rejects(done(['sentry', ...args], repository), said)
    }
  })

  it('or another: one failure is one issue', async () => {
    assert.equal((await issueOf(errata.shop, STOCK)).count, String(TOOLS.length))
  })
})

describe('the pages about source maps and releases', () => {
  const home = mkdtempSync(join(tmpdir(), 'errata-printed-'))
  const repository = join(home, 'shop')
  let app: App
  before(async () => {
    app = await installedApp('tools', ['server'])
    await commitsIn(repository)
  })
  after(() => rmSync(home, { recursive: true, force: true }))

  for (const [name, bin] of [
    ['sentry-cli 2', 'sentry-cli-2/bin/sentry-cli'],
    ['sentry-cli 3', '@sentry/cli/bin/sentry-cli'],
  ] as const)
    it(`can be followed with ${name}, as they are printed`, async () => {
      await using product = await startShop()
      using printed = await follower({ app, product, bin, repository })
      await runTool(app, ['node', 'build.mjs'], { env: buildEnvironment(product.shop, home) })
      assert.match(await printed.upload(), /server\.mjs/)
      assert.match(await printed.uploadBuild(), /script with a source map resolves/)
      await printed.release()
      await assertReleased(product.shop)
      if (name === 'sentry-cli 2') {
        await assert.rejects(printed.mappings('project:write'), /code-mappings/)
        return
      }
      await printed.mappings('project:write')
      await assert.rejects(printed.mappings('org:ci'), /API request failed/)
    })
})

/** A checkout with three commits and a remote; their ids, newest first. */
async function commitsIn(repository: string): Promise<readonly string[]> {
  mkdirSync(repository)
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: repository,
    ...{ GIT_AUTHOR_NAME: 'Rosa', GIT_AUTHOR_EMAIL: 'rosa@shop.example' },
    ...{ GIT_COMMITTER_NAME: 'Rosa', GIT_COMMITTER_EMAIL: 'rosa@shop.example' },
  }
  const git = (...args: string[]) => ran('git', args, { cwd: repository, env })
  await git('init', '--quiet', '--initial-branch', 'main')
  await git('remote', 'add', 'origin', 'https://github.com/acme/shop.git')
  for (const [at, name] of ['inventory', 'orders', 'server'].entries()) {
    writeFileSync(join(repository, `${name}.ts`), `export const version = ${at}\n`)
    await git('add', '.')
    await git('commit', '--quiet', '--message', `Write ${name}`)
  }
  return (await git('log', '--format=%H')).trim().split('\n')
}
