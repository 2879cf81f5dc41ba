/** Secrets of letters alone, by what a call, a sentence or a command says they are; and texts that look near. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scrubFields } from '#testing/builders/scrubbing.ts'

const WORD = 'marigold'

const LINES = [
  'await userEvent.type(screen.getByLabelText("Password"), "X")',
  "await page.getByLabel('Password').fill('X')",
  "cy.get('input[name=password]').type('X{enter}')",
  'fill_in "Password", with: "X"',
  'driver.findElement(By.id("password")).sendKeys("X");',
  'onView(withId(R.id.password)).perform(typeText("X"), closeSoftKeyboard())',
  "await element(by.id('password-input')).typeText('X');",
  'KeychainHelper.save("X", for: "password")',
  'try keychain.set("X", key: "refreshToken")',
  '[defaults setObject:@"X" forKey:@"authToken"];',
  "await storage.write(key: 'jwt', value: 'X');",
  'prefs.edit().putString("access_token", "X").apply()',
  'if (strcmp(password, "X") == 0) {',
  'var jwtKey = []byte("X")',
  "'password' => Hash::make('X'),",
  "'auth' => ['svc', 'X'],",
  '    {password, "X"},',
  '    {<<"client_secret">>, <<"X">>},',
  '(or (System/getenv "DB_PASSWORD") "X")',
  'secret <- fromMaybe "X" <$> lookupEnv "JWT_SECRET"',
  'buildConfigField("String", "API_KEY", "\\"X\\"")',
  'variable "db_password" { default = "X" }',
  'let(:password) { "X" }',
  'ENV POSTGRES_PASSWORD X',
  '        - { name: DB_PASSWORD, value: X }',
]

const TEXTS = [
  'Rejected token "X"',
  'Login failed for bob/X',
  'vault login X',
  'mot de passe : X',
  'La contraseña es X',
  '[{user,"ada"},{password,"X"}]',
  'credentials: ada / X',
  'password for ada@example.com changed to X',
  'command: AUTH X',
  'htpasswd -b .htpasswd ada X',
]

const KEPT_LINES = [
  'i18n.t("form.password","Enter it")',
  'print("token:", token)',
  '<string name="password">Password</string>',
  '<string name="forgot_password">Forgot password?</string>',
  'if (strcmp(type, "password") == 0) {',
  'await page.fill("#search", "shoes")',
  '{ key: "token", value: token }',
  'variable "region" { default = "eu-west-1" }',
]

const KEPT_TEXTS = [
  'Secret "db-credentials" not found',
  'password: (empty)',
  'pin: off',
  'vault login failed',
  'credentials: include',
  'mot de passe : requis',
  'Login failed for ada/admin panel',
  'GET /i/home/accept 200',
]

function readLine(line: string): string | undefined {
  const stacktrace = { frames: [{ filename: 'a', function: 'f', context_line: line }] }
  const { exception } = scrubFields({ exception: { values: [{ type: 'E', value: 'x', stacktrace }] } })
  return exception?.values[0]?.stacktrace?.frames[0]?.context_line
}

describe('what a call gives to a secret’s name', () => {
  for (const line of LINES)
    it(`is taken out of ${line.trim().slice(0, 60)}`, () => {
      assert.ok(!readLine(line.replace('X', WORD))?.includes(WORD))
    })
  for (const line of KEPT_LINES) it(`leaves ${line.slice(0, 60)}`, () => assert.equal(readLine(line), line))
})

describe('what a sentence or a command tells by its place', () => {
  for (const text of TEXTS)
    it(`is taken out of ${text.slice(0, 60)}`, () => {
      assert.ok(!scrubFields({ message: text.replace('X', WORD) }).message?.includes(WORD))
    })
  for (const text of KEPT_TEXTS)
    it(`leaves ${text.slice(0, 60)}`, () => assert.equal(scrubFields({ message: text }).message, text))

  it('is what JSON says in base64, and JSON without a secret stays', () => {
    const told = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')
    assert.equal(
      scrubFields({ message: `state ${told({ secret: WORD, at: 3 })} gone` }).message,
      'state [Filtered] gone',
    )
    const clean = `state ${told({ page: 2 })} gone`
    assert.equal(scrubFields({ message: clean }).message, clean)
  })
})

describe('what somebody typed', () => {
  it('is not kept of a crumb about an input, wherever it notes it', () => {
    const crumb = (category: string, message: string, data: { readonly [key: string]: string }) =>
      JSON.stringify(
        scrubFields({
          breadcrumbs: { values: [{ timestamp: 1, type: 'ui', level: 'info', category, message, data }] },
        }),
      )
    assert.ok(!crumb('ui.input', 'input#name', { value: WORD }).includes(WORD))
    assert.ok(!crumb('ui.change', 'PasswordField', { text: WORD }).includes(WORD))
    assert.ok(crumb('ui.click', 'button', { text: 'Sign in' }).includes('Sign in'))
  })
})

describe('lines of a pattern’s signs', () => {
  it('cost no more than their length', () => {
    const hostile = ['fill("a".', 'set("', 'R.id.', 'pass [', '<<"a">> ', '- name: a'].map((part) =>
      part.repeat(4_000),
    )
    const started = performance.now()
    for (const text of hostile) scrubFields({ message: `password ${text}` })
    assert.ok(performance.now() - started < 10_000)
  })
})
