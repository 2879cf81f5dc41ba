import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { anError } from '#testing/builders/sent-event.ts'
import { asking, openShop, type Shop, send, unwrap } from '#testing/worlds/api.ts'

describe('releases and their commits', () => {
  let shop: Shop

  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())

  const release = async (version: string, commits: readonly (readonly [string, string])[]) => {
    const who = asking(await shop.people.owner.viewer(), await shop.people.owner.scope())
    const body = {
      commits: commits.map(([id, path]) => ({ id, patch_set: [{ path, type: 'M' }] })),
    }
    unwrap(await shop.commands.run('createRelease', who, { version, projects: ['shop'], body }))
  }
  const failing = (name: string) => (version: string) =>
    anError({
      release: version,
      exception: {
        values: [
          {
            ...{ type: name, value: 'boom' },
            stacktrace: {
              frames: [{ filename: 'app/checkout.ts', function: name, lineno: 3, in_app: true }],
            },
          },
        ],
      },
    })
  const suspectsOf = async (name: string) => {
    const scope = await shop.people.owner.scope()
    const range = { startMs: 0, endMs: 1, stepMs: 1 }
    for (let number = 1; ; number++) {
      const view = await shop.queries.issue(scope, `SHOP-${number}`, range)
      assert.ok(view !== null, `no issue ${name}`)
      if (view.issue.type !== name) continue
      const shown = await shop.queries.issueEvent(scope, view.issue.shortId, 'latest')
      assert.ok(shown !== null)
      const { issue, activity } = view
      const { suspects } = await shop.queries.suspectCommits(scope, { issue, activity, event: shown.event })
      return suspects.map(({ commit }) => commit.id)
    }
  }

  it('suspect what came since the last release that anybody ran without the issue', async () => {
    const fails = failing('Late')
    await release('shop@1.0.0', [['c1', 'app/checkout.ts']])
    await send(shop, shop.dsn, failing('Other')('shop@1.0.0'))
    await release('shop@1.1.0', [['c2', 'src/app/checkout.ts']])
    await release('shop@1.2.0', [
      ['c4', 'README.md'],
      ['c3', 'app/checkout.ts'],
    ])
    await send(shop, shop.dsn, fails('shop@1.2.0'))
    assert.deepEqual((await suspectsOf('Late')).toSorted(), ['c2', 'c3'])
  })

  it('are filtered by environments in the order of their settings, without hidden ones', async () => {
    const scope = await shop.people.owner.scope()
    const owner = asking(await shop.people.owner.viewer(), scope)
    const { id: project } = (await shop.queries.project(scope, 'shop')) ?? assert.fail('no project shop')
    for (const environment of ['canary', 'production', 'staging'])
      await send(shop, shop.dsn, anError({ release: 'shop@1.0.0', environment }))
    const shown = () => shop.queries.releaseEnvironments(scope)
    assert.deepEqual(await shown(), ['production', 'canary', 'staging'])
    unwrap(await shop.commands.run('moveEnvironment', owner, { project, name: 'staging', to: 'up' }))
    assert.deepEqual(await shown(), ['production', 'staging', 'canary'])
    unwrap(await shop.commands.run('hideEnvironment', owner, { project, name: 'production', isHidden: true }))
    assert.deepEqual(await shown(), ['staging', 'canary'])
    unwrap(
      await shop.commands.run('hideEnvironment', owner, { project, name: 'production', isHidden: false }),
    )
  })

  it('are compared with the release before', async () => {
    const scope = await shop.people.owner.scope()
    const view = await shop.queries.releaseView(scope, 'shop@1.2.0')
    assert.equal(view?.before?.version, 'shop@1.1.0')
    assert.deepEqual(
      view?.issues.begun.map(({ type }) => type),
      ['Late'],
    )
    assert.equal(await shop.queries.releaseView(scope, 'shop@9.9.9'), null)
  })
})
