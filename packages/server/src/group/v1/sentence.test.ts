import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { firstSentence } from './sentence.ts'

const TABLE: readonly (readonly [what: string, text: string, sentence: string])[] = [
  ['a plain text', 'no total', 'no total'],
  ['the first line that says something', '\n  no total \nmore', 'no total'],
  [
    'Zod 3',
    '[\n  {\n    "code": "invalid_type",\n    "path": [\n      "customer",\n      "email"\n    ],\n    "message": "Required"\n  }\n]',
    'customer.email: Required',
  ],
  [
    'Zod 4, several',
    '[\n  {"code":"too_small","path":["items",0,"count"],"message":"Too small"},\n  {"path":["a"],"message":"b"},{"path":["c"],"message":"d"}\n]',
    'items.0.count: Too small (and 2 more)',
  ],
  [
    'Zod that was cut',
    '[\n  {\n    "code": "invalid_type",\n    "path": [\n      "customer",\n      "email"\n    ],\n    "message": "Required"\n  },\n  {\n    "code": "inv',
    'customer.email: Required',
  ],
  ['Valibot', '[{"kind":"schema","path":[{"key":"email"}],"message":"Invalid type"}]', 'email: Invalid type'],
  ['Joi', '{"details":[{"message":"\\"email\\" is required","path":["email"]}]}', '"email" is required'],
  [
    'Ajv',
    '[{"instancePath":"/customer/email","message":"must be string"}]',
    'customer.email: must be string',
  ],
  [
    'GraphQL',
    '{"errors":[{"message":"Cannot query field \\"total\\"","locations":[{"line":1}],"path":["order","total"]}]}',
    'order.total: Cannot query field "total"',
  ],
  ['FastAPI', '{"detail":[{"loc":["body","email"],"msg":"field required"}]}', 'body.email: field required'],
  [
    'Rails',
    '{"errors":{"email":["is invalid","is too short"],"name":["is missing"]}}',
    'email: is invalid (and 1 more) (and 1 more)',
  ],
  [
    'OAuth',
    '{"error":"invalid_grant","error_description":"Code was already redeemed."}',
    'Code was already redeemed.',
  ],
  [
    'problem details',
    '{"type":"about:blank","title":"Not Found","status":404,"detail":"No order 17"}',
    'No order 17',
  ],
  ['an error within', '{"error":{"code":17,"message":"declined"}}', 'declined'],
  ['JSON that says nothing', '{"a":1}', '{"a":1}'],
  ['what only begins as JSON', '[object Object]', '[object Object]'],
  [
    'behind a heading',
    'Validation failed: [\n  {\n    "path": ["email"],\n    "message": "Required"\n  }\n]',
    'Validation failed: email: Required',
  ],
  ['an answer behind a text', 'HTTP 400: {"error":"declined"}', 'HTTP 400: declined'],
  [
    'graphql-request',
    'No order: {"response":{"errors":[{"message":"No order"}],"status":200},"request":{"query":"{ order }"}}',
    'No order',
  ],
  ['JSON behind a text that says nothing', 'odd: {"a":1}', 'odd: {"a":1}'],
  [
    'the page of a proxy',
    '<!DOCTYPE html>\n<html>\n<head><title>502 Bad Gateway</title></head>\n<body>nginx</body></html>',
    '502 Bad Gateway',
  ],
  [
    'a page without a title',
    '<html><body><h1>Service &amp; more unavailable</h1></body></html>',
    'Service & more unavailable',
  ],
  [
    'the page behind a text',
    'Unexpected answer: <!DOCTYPE html><html><head><title>Just a moment...</title></head></html>',
    'Unexpected answer: Just a moment...',
  ],
  [
    'S3',
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
    'Access Denied',
  ],
  [
    'SOAP',
    '<soap:Envelope xmlns:soap="x"><soap:Body><soap:Fault><faultstring>No such order</faultstring></soap:Fault></soap:Body></soap:Envelope>',
    'No such order',
  ],
  ['a component in a sentence', '<Link> must be used within <Router>', '<Link> must be used within <Router>'],
  [
    'Prisma',
    '\nInvalid `prisma.order.create()` invocation:\n\n\nUnique constraint failed on the fields: (`number`)',
    'Invalid `prisma.order.create()` invocation: Unique constraint failed on the fields: (`number`)',
  ],
  [
    'Prisma and its advice',
    "\nInvalid `prisma.user.findMany()` invocation:\n\n\nCan't reach database server at `db:5432`\n\nPlease make sure your database server is running at `db:5432`.",
    "Invalid `prisma.user.findMany()` invocation: Can't reach database server at `db:5432`",
  ],
  [
    'Prisma and its source',
    '\nInvalid `db.order.findMany()` invocation in\n/app/.next/server/chunks/123.js:1:4567\n\n  1 (0,b.z)(()=>\n→ 2 db.order.findMany({\n      where: {\n        nope: 1\n        ~~~~\n      }\n    })\n\nUnknown argument `nope`. Available options are marked with ?.',
    'Invalid `db.order.findMany()` invocation: Unknown argument `nope`. Available options are marked with ?.',
  ],
  [
    'pydantic 2',
    "2 validation errors for Order\ncustomer.email\n  Field required [type=missing, input_value={'number': 17}, input_type=dict]\n    For further information visit https://errors.pydantic.dev/2.11/v/missing\ntotal\n  Field required",
    '2 validation errors for Order: customer.email: Field required',
  ],
  [
    'pydantic 1',
    '1 validation error for Order\ncustomer -> email\n  field required (type=value_error.missing)',
    '1 validation error for Order: customer.email: field required',
  ],
  [
    'class-validator',
    'An instance of Order has failed the validation:\n - property email has failed the following constraints: isEmail',
    'An instance of Order has failed the validation: property email has failed the following constraints: isEmail',
  ],
  ['go-multierror', '2 errors occurred:\n\t* no stock\n\t* no price\n', '2 errors occurred: no stock'],
  [
    'headings within headings',
    'Build failed:\n\nModule not found:\n  ./cart',
    'Build failed: Module not found: ./cart',
  ],
  [
    'OTP',
    'GenServer Shop.Cache terminating\n** (RuntimeError) no stock\n    (shop 1.0) lib/cache.ex:7',
    'GenServer Shop.Cache terminating: ** (RuntimeError) no stock',
  ],
  ['a heading with nothing behind it', 'Something went wrong:', 'Something went wrong:'],
  ['characters that move the line', 'a\u0007\u001b[31mb\u2028c', 'a b c'],
]

describe('the sentence of a text', () => {
  for (const [what, text, sentence] of TABLE) {
    it(`is of ${what}`, () => assert.equal(firstSentence(text), sentence))
  }
})
