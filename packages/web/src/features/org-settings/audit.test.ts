import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readAddress } from '#parts/address.ts'
import { AUDIT, AUDIT_SUBJECTS, auditQuery, isAuditFiltered } from './audit-params.ts'
import { actionsSaying, actionText, detailText } from './audit-texts.ts'

/** Every action that is written, as the sources spell it. */
function actionsWritten(): readonly string[] {
  const server = join(import.meta.dirname, '../../../../server/src')
  const written = [
    'commands/*.ts',
    'model/*-rules.ts',
    'store/sqlite/**/*.ts',
    'issues/*.ts',
    'notices/rules/*.ts',
  ]
  const files = globSync(written, { cwd: server, exclude: (path) => path.endsWith('.test.ts') })
  const found = files.flatMap((file) =>
    [
      ...readFileSync(join(server, file), 'utf8').matchAll(
        /(?:action|FAILED_SIGN_IN|switched|action: mail)\b[^\n]*/g,
      ),
    ].flatMap(([line]) => [...line.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, action]) => action ?? '')),
  )
  return [...new Set(found)]
}

const read = (query: string) => readAddress(AUDIT, new URLSearchParams(query))

describe('the audit log in words', () => {
  const actions = actionsWritten()

  it('has words for everything that is written, and finds it by what it is about', () => {
    assert.ok(actions.length > 70, `${actions.length} actions`)
    assert.deepEqual(
      actions.filter((action) => actionText(action).startsWith(action)),
      [],
    )
    const subjects: readonly string[] = AUDIT_SUBJECTS.flatMap((subject) => subject.subjects)
    assert.deepEqual(
      actions.filter((action) => !subjects.includes(action.split('.')[0] ?? '')),
      [],
    )
  })

  it('spells an action it does not know as it is stored', () => {
    assert.equal(actionText('robot.dreamed'), 'robot.dreamed:')
    assert.equal(actionText('constructor'), 'constructor:')
  })

  it('finds actions by the words people read', () => {
    assert.deepEqual(actionsSaying('CHANGED the role'), ['member.role_changed'])
    assert.deepEqual(actionsSaying('nothing of this kind'), [])
  })

  it('puts details into words', () => {
    assert.equal(
      detailText({
        changed: 'name options.filters',
        slugBefore: 'shop',
        personal: true,
        tail: null,
        none: '',
      }),
      'changed: name, filters; slug before: shop; personal: yes',
    )
    assert.equal(
      detailText({ what: 'artifact bundle', changed: 'released_ms, spikeGuard' }),
      'artifact bundle; changed: release date, spike guard',
    )
    assert.equal(
      detailText({
        changed: 'quietHours, options.spikeProtection url',
        isRequired: false,
        untilMs: Date.UTC(2026, 10, 29, 8, 30),
        tail: 'x7',
        count: 3,
      }),
      'changed: quiet hours, spike protection, address; required: no; until: 29 Nov 2026, 08:30:00 UTC; ends in: x7; count: 3',
    )
  })
})

describe('the address of the audit log', () => {
  it('is read and written back the same', () => {
    const address = read(
      'who=3&what=keys&action=key.created&target=web&words=a+b&from=2026-11-01&to=2026-11-22&before=70',
    )
    assert.deepEqual(
      { ...address },
      {
        ...{ who: 3, what: 'keys', action: 'key.created', target: 'web', words: 'a b' },
        ...{ from: '2026-11-01', to: '2026-11-22', before: 70 },
      },
    )
    assert.deepEqual(auditQuery(address, { before: 70 }), address)
    assert.ok(isAuditFiltered(address) && !isAuditFiltered(read('before=70')))
  })

  it('begins with the newest entry when a filter changes', () => {
    assert.equal(auditQuery(read('what=keys&before=70'), { who: 2 }).before, null)
  })

  it('leaves out what it cannot read', () => {
    const nothing = {
      ...{ who: null, what: null, action: null, target: null, words: null },
      from: null,
      to: null,
      before: null,
    }
    for (const query of [
      'who=x&before=-1',
      'who=0',
      'what=everything',
      'from=2026-02-31&to=yesterday',
      'from=99999-01-01',
    ])
      assert.deepEqual(read(query), nothing, query)
  })
})
