/** The pages about source maps and releases, followed with one major of sentry-cli: with its own name, as it is printed. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiGet } from '../support/api.ts'
import { documented } from '../support/documentation.ts'
import { errata, type RunningErrata, type SetUp } from '../support/start-errata.ts'
import { type App, buildEnvironment, ran } from './app.ts'

export interface Follower extends Disposable {
  /** Injects and uploads the build. */
  upload(): Promise<string>
  /** The same by what Errata hands out. */
  uploadBuild(): Promise<string>
  release(): Promise<string>
  /** With a token of the scope that the page names; `org:ci` alone is what the rest is done with. */
  mappings(scope: 'project:write' | 'org:ci'): Promise<string>
}

export interface FollowerOptions {
  readonly app: App
  readonly product: RunningErrata & { readonly shop: SetUp }
  /** A program of the app's packages. */
  readonly bin: string
  /** A checkout. */
  readonly repository: string
}

export async function follower({ app, product, bin, repository }: FollowerOptions): Promise<Follower> {
  const { shop, data } = product
  const home = mkdtempSync(join(tmpdir(), 'errata-printed-cli-'))
  mkdirSync(join(home, 'bin'))
  const program = `exec '${process.execPath}' '${join(app.root, 'node_modules', bin)}' "$@"`
  writeFileSync(join(home, 'bin/sentry-cli'), `#!/bin/sh\n${program}\n`, { mode: 0o755 })
  const tokenOf = async (scopes: string) =>
    JSON.parse(await errata(['token', 'create', '--data', data, '--scopes', scopes, '--json'])).token
  const done = async (lines: string, cwd: string, scopes = 'org:ci') => {
    const variables = documented('docs/readable-stacks.md', 'export SENTRY_URL')
      .replace('https://errata.example.com', shop.url)
      .replace('my-organisation', shop.organisation)
      .replace('my-project', shop.project)
      .replace('sntrys_…', `'${await tokenOf(scopes)}'`)
    const { PATH = '' } = buildEnvironment(shop, home)
    const env = {
      PATH: `${join(home, 'bin')}:${PATH}`,
      HOME: home,
      NO_COLOR: '1',
      SENTRY_CLI_NO_TELEMETRY: '1',
    }
    return ran('bash', ['-ec', `${variables}\n${lines.replaceAll('https://errata.example.com', shop.url)}`], {
      cwd,
      env,
    })
  }
  return {
    upload: () => done(documented('docs/readable-stacks.md', 'sentry-cli sourcemaps inject'), app.root),
    uploadBuild: () => done(documented('docs/readable-stacks.md', 'npx --yes'), app.root),
    release: () => done(documented('docs/everyday.md', 'sentry-cli releases new'), repository),
    mappings: (scope) => done(documented('docs/readable-stacks.md', "echo '[{"), repository, scope),
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  }
}

/** Asserts what the printed calls must have left behind. */
export async function assertReleased(shop: SetUp): Promise<void> {
  const release = await apiGet<{
    readonly dateReleased: string | null
    readonly commitCount: number
    readonly lastDeploy: { readonly environment: string } | null
  }>(shop, `/organizations/${shop.organisation}/releases/shop%401.4.0/`)
  assert.ok(release.dateReleased !== null && release.commitCount > 0, JSON.stringify(release))
  assert.equal(release.lastDeploy?.environment, 'production')
}
