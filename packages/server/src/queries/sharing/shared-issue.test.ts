import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withoutPeople } from './shared-issue.ts'

describe('a text without people', () => {
  const texts: readonly [text: string, left: string][] = [
    ['mail to Anna.B+x@shop.example.com now', 'mail to [email] now'],
    ['from 10.1.2.3:80 and 2001:db8::8', 'from [ip]:80 and [ip]'],
    ['at 2001:db8:0:0:0:0:0:1', 'at [ip]'],
    ['a::b at 12:30:45, version 1.2.3', 'a::b at 12:30:45, version 1.2.3'],
    ['@scope/package@1.2', '@scope/package@1.2'],
  ]
  for (const [text, left] of texts) it(`of ${text}`, () => assert.equal(withoutPeople(text), left))
})
