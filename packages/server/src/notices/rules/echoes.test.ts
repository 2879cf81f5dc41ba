import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { issueId } from '#base/ids.ts'
import type { NoticeSettings } from '#ports/notices.ts'
import { type ExceptionNotice, quietEcho } from './echoes.ts'

const URL = 'https://hooks.example/1'
const settings = (change: Partial<NoticeSettings> = {}) => ({
  ...{ mail: true, quietHours: 24, webhook: null },
  ...change,
})
const notice = (change: Partial<ExceptionNotice> = {}): ExceptionNotice => ({
  ...{ issue: issueId(7), isSameProject: false },
  ...{ isMailedToReaders: () => false, webhookUrl: () => null, isCalled: () => false },
  ...change,
})
const echoOf = (of: NoticeSettings, ...notices: readonly ExceptionNotice[]) =>
  quietEcho(() => of, { hasDigest: true, notices: () => notices })?.echoOf ?? null
const webhook = { url: URL, changedMs: 0 }

describe('an echo of a failure on the server', () => {
  it('without a digest is never told', () => {
    const quiet = quietEcho(() => assert.fail(), { hasDigest: false, notices: () => assert.fail() })
    assert.match(quiet?.reason ?? '', /without a digest/)
    assert.equal(quiet?.echoOf, null)
  })

  it('stays quiet when its own project is told of the exception', () => {
    assert.equal(echoOf(settings({ mail: false }), notice(), notice({ isSameProject: true })), 7)
  })

  it('stays quiet when one of its readers was mailed, unless mail is off', () => {
    const mailed = notice({ isMailedToReaders: () => true })
    assert.equal(echoOf(settings(), mailed), 7)
    assert.equal(echoOf(settings({ mail: false }), mailed), null)
  })

  it('stays quiet when the same webhook was called', () => {
    const called = { webhookUrl: () => URL, isCalled: () => true }
    assert.equal(echoOf(settings({ webhook }), notice(called)), 7)
    assert.equal(echoOf(settings({ webhook }), notice({ ...called, isCalled: () => false })), null)
    assert.equal(echoOf(settings({ webhook }), notice({ ...called, webhookUrl: () => null })), null)
    assert.equal(echoOf(settings(), notice({ isCalled: () => true })), null)
  })
})
