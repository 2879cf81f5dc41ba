import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SecretKeys } from './keys.ts'

const keys = new SecretKeys({ extraKeys: [], allowedKeys: [] })

const SECRET =
  `password Password PASSWORD passwd user_password userPassword db.password password_hash new-password
  passphrase passcode pass smtp_pass DB_PASS dbPass pwd Pwd MYSQL_PWD mysql_pwd PGPASSWORD pin pin_code otp totp
  secret clientSecret client_secret SECRET_KEY_BASE aws_secret_access_key AWS_ACCESS_KEY_ID webhook-secret
  api_key apiKey APIKEY x-api-key X-Api-Key apikey api-token api.key access_key accessKeyId AccountKey STRIPE_KEY RAILS_MASTER_KEY
  ENCRYPTION_KEY private_key privateKey ssh_key sshPrivateKey
  authorization Authorization proxy-authorization HTTP_AUTHORIZATION auth authentication oauth oauth_token x-auth-token
  X-Auth auth_token authToken npm_config__auth auth.header
  token Token access_token accessToken refresh_token id_token idToken csrf csrf_token _csrf csrfmiddlewaretoken
  X-CSRF-Token xsrf-token XSRF-TOKEN SENTRY_AUTH_TOKEN GITHUB_TOKEN tokens jwt bearer bearerToken authenticity_token
  X-Amz-Signature X-Amz-Security-Token X-Hub-Signature-256 sig salt
  cookie cookies Cookie set-cookie Set-Cookie HTTP_COOKIE session_cookie
  session sessionId session_id sessionid PHPSESSID JSESSIONID connect.sid sid user_session session.token
  credential credentials aws_credentials credit_card creditCard cardNumber card_number cc-number cvv cvc cvv2
  iban ssn connectionString pass\u200bword p-a-s-s-w-o-r-d`.split(/\s+/)

const ORDINARY = `author authors authored_by authority authenticated authenticity :authority X-Author
  session_count sessionCount session_duration session_start sessions sessionStorage session_replay auto_session_tracking
  token_type tokenType token_count max_tokens prompt_tokens total_tokens completion_tokens tokenizer tokenized
  token_expires_at tokenExpiry auth_method authProvider auth_type auth_url
  secretary secretaries bypass passed passing_tests compass passenger passport passport-local pass_count
  key keys keyboard monkey primary_key foreign_key cache_key sort_key PUBLIC_KEY keyName idempotency_key
  password_reset_enabled password_changed_at passwordStrength cookie_enabled cookieConsent
  pinned pins mapping opinion spinner shopping side inside sidebar consider signature sigma assign
  saltwater assault cardinal cardholder discard cvs accessories access_level accessor
  code status state id user_id trace_id span_id event_id replay_id name email username url path method
  filename function module lineno in_app context_line vars arguments message value type data
  release environment transaction server_name level logger platform http.route http.status_code
  user-agent accept-language content-type referer next-action rsc sec-fetch-dest x-forwarded-for
  device.family os.name runtime.version gen_ai.usage.input_tokens`.split(/\s+/)

test('keys that carry secrets are found in every spelling', () => {
  assert.deepEqual(
    SECRET.filter((key) => keys.ruleOf(key) === null),
    [],
  )
})

test('ordinary keys that merely look alike are left alone', () => {
  assert.deepEqual(
    ORDINARY.filter((key) => keys.ruleOf(key) !== null),
    [],
  )
})

test('a project adds keys by part of their name and allows keys by their whole name', () => {
  const own = new SecretKeys({ extraKeys: ['loyalty-No'], allowedKeys: ['Session_ID', 'author-token'] })
  assert.equal(own.ruleOf('customerLoyaltyNo'), 'project_key')
  assert.equal(own.ruleOf('customer_loyalty_no_2'), 'project_key')
  assert.equal(own.ruleOf('sessionId'), null)
  assert.equal(own.ruleOf('AUTHOR_TOKEN'), null)
  assert.equal(own.ruleOf('my_session_id'), 'session')
})

test('the cache of key names stays bounded and right under a flood of names', () => {
  for (let at = 0; at < 25_000; at++) keys.ruleOf(`key_${at}`)
  assert.equal(keys.ruleOf('password'), 'password')
  assert.equal(keys.ruleOf('key_7'), null)
})
