/** Literals that code, sentences and lists give to a secret's name: the name decides, not the looks of the value. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scrubFields } from '#testing/builders/scrubbing.ts'

/** Letters alone: a word as any other. */
const WORD = 'otterfalcon'

const LINES = [
  'DB = os.environ.get("DB_PASSWORD", "X")',
  "token = os.getenv('API_TOKEN', 'X')",
  "SECRET_KEY = config('SECRET_KEY', default='X')",
  '    api_key: SecretStr = Field(default="X")',
  'SECRET = os.environ.get("SECRET") or "X"',
  'get(ENV, "API_TOKEN", "X")',
  "const key = process.env.REFRESH_TOKEN ?? 'X'",
  'new Client({ token: process.env.API_TOKEN || "X" })',
  "password: { default: 'X', env: 'DB_PASSWORD' },",
  'headers.set("x-auth-token", "X")',
  'crypto.createHmac("sha256", "X")',
  'password: ENV.fetch("DB_PASSWORD", "X")',
  "config.secret = ENV.fetch('SECRET_TOKEN') { 'X' }",
  "ENV['ADMIN_PASSWORD'] || 'X'",
  "'password' => env('DB_PASSWORD', 'X'),",
  "define('DB_PASSWORD', 'X');",
  "putenv('API_SECRET=X');",
  "new PDO($dsn, 'app', 'X');",
  'key := getEnv("API_KEY", "X")',
  'secret := cmp.Or(os.Getenv("APP_SECRET"), "X")',
  'viper.SetDefault("db.password", "X")',
  'pw := flag.String("password", "X", "password of the database")',
  'Password string `env:"DB_PASSWORD" envDefault:"X"`',
  'System.getenv().getOrDefault("DB_PASSWORD", "X");',
  `@Value("\${api.secret:X}") private String x;`,
  'Optional.ofNullable(System.getenv("APP_SECRET")).orElse("X")',
  'Map.of("user", "bob", "password", "X")',
  'val token = System.getenv("API_TOKEN") ?: "X"',
  'mapOf("password" to "X")',
  'var k = Configuration["Jwt:Secret"] ?? "X";',
  'public string Password { get; set; } = "X";',
  'new NetworkCredential(user, "X")',
  'let key = env::var("API_SECRET").unwrap_or_else(|_| "X".to_string());',
  'password: String::from("X"),',
  'let apiKey = ProcessInfo.processInfo.environment["API_KEY"] ?? "X"',
  'val secret = sys.env.getOrElse("JWT_SECRET", "X")',
  'System.get_env("SECRET_KEY_BASE", "X")',
  "my $pw = $ENV{DB_PASSWORD} // 'X';",
  "String.fromEnvironment('API_TOKEN', defaultValue: 'X');",
  `export PGPASSWORD=\${PGPASSWORD:-X}`,
  '      - POSTGRES_PASSWORD=X',
  '  password: X',
  "client.bind('cn=root', 'X', done)",
  'conn.simple_bind_s("cn=admin,dc=x", "X")',
  "ldap_bind($conn, $dn, 'X');",
]

const KEPT = [
  'os.environ.get("API_TOKEN", "")',
  'os.environ.get("LOG_LEVEL", "info")',
  'process.env.AUTH_MODE ?? "local"',
  'token.type || "bearer"',
  'config.get("auth.provider", "local")',
  't("auth.password", "Password")',
  'errors.add("password", "invalid")',
  'only("email", "password")',
  'fields = ("username", "password")',
  'COLUMNS = [("token", "Token"), ("user", "User")]',
  '"password": "Password",',
  "'password' => 'Passwort',",
  '  password: string;',
  'password: hashedPassword',
  'public string Token { get; init; } = "";',
  'client.bind("click", "handler", false)',
  'client.bind("0.0.0.0", "8080")',
  'ldap.search("ou=people,dc=x", "subtree")',
  'AUTH_TOKEN_HEADER = "X-Auth-Token"',
  'jwt.sign(payload, secret, { algorithm: "HS256" })',
  'hashlib.sha256(password.encode("utf-8"))',
]

const TOLD = [
  'the password is X',
  'Changed: set the password to X',
  'Password X does not meet the policy',
  'bad passphrase (X)',
  "API key 'X' not recognised",
  'machine api.example.com login bob password X',
  'a:2:{s:4:"user";s:3:"bob";s:8:"password";s:11:"X";}',
  'object(User)#3 (2) { ["password":protected]=> string(11) "X" }',
  'url.Values{"password":[]string{"X"}}',
  "[('user', 'bob'), ('password', 'X')]",
]
const SAID = [
  'The password is incorrect',
  'the password is too common',
  'the password was reset yesterday',
  'login with password authentication is disabled',
  'Password confirmation does not match',
  'Enter your password to continue',
  'API key validation failed',
  'Unexpected token "identifier"',
  'password manager detected',
  'wachtwoord is onjuist',
]

const line = (text: string) =>
  JSON.stringify(scrubFields({ stacktrace: { frames: [{ context_line: text }] } }))

describe('a word under a secret’s name', () => {
  for (const source of LINES)
    it(`is taken out of ${source}`, () => assert.ok(!line(source.replace('X', WORD)).includes(WORD)))
  for (const source of KEPT)
    it(`is kept in ${source}`, () => assert.ok(line(source).includes(JSON.stringify(source))))
  for (const text of TOLD)
    it(`is taken out of “${text}”`, () =>
      assert.ok(!JSON.stringify(scrubFields({ message: text.replace('X', WORD) })).includes(WORD)))
  for (const text of SAID)
    it(`is kept in “${text}”`, () => assert.equal(scrubFields({ message: text }).message, text))

  it('is taken out of lists, pairs and bytes', () => {
    const bytes = (text: string) => ({ type: 'Buffer', data: [...Buffer.from(text)] })
    const { extra } = scrubFields({
      extra: {
        tokens: ['qxvkzwtpbd'],
        answer: { access: WORD, refresh: `${WORD}2` },
        body: bytes(`{"password":"${WORD}"}`),
        token: bytes(WORD),
        said: `body: <Buffer ${Buffer.from(`{"password":"${WORD}"}`)
          .toString('hex')
          .replace(/(..)(?!$)/g, '$1 ')}>`,
        kept: { tokens: ['comma', 'dot'], refresh: 'never', body: bytes('{"page":3}') },
      },
    })
    assert.deepEqual(extra, {
      tokens: '[Filtered]',
      answer: { access: '[Filtered]', refresh: '[Filtered]' },
      body: { type: 'Buffer', data: '[Filtered]' },
      token: '[Filtered]',
      said: 'body: <Buffer [Filtered]>',
      kept: { tokens: ['comma', 'dot'], refresh: 'never', body: bytes('{"page":3}') },
    })
  })
})

describe('parameters of a statement', () => {
  const SQL = 'UPDATE users SET password = ? WHERE id = ?'
  const crumbs: readonly (readonly [string, object, object])[] = [
    [SQL, { bindings: [WORD, 3] }, { bindings: ['[Filtered]', 3] }],
    [SQL, { 'db.params': [WORD, 3] }, { 'db.params': ['[Filtered]', 3] }],
    [SQL, { params: { 1: WORD, 2: 3 } }, { params: { 1: '[Filtered]', 2: 3 } }],
    [SQL, { params: `["${WORD}",3]` }, { params: '["[Filtered]",3]' }],
    [
      'update users set password = $2, name = $1 where id = $3',
      { args: ['a', WORD, 3] },
      { args: ['a', '[Filtered]', 3] },
    ],
    [
      'update users set password = :p where id = :i',
      { params: { p: WORD, i: 3 } },
      { params: { p: '[Filtered]', i: 3 } },
    ],
    [
      'insert into users (name, created, token) values (?, now(), ?)',
      { binds: ['bob', WORD] },
      { binds: ['bob', '[Filtered]'] },
    ],
    [
      'SELECT * FROM users WHERE reset_token = $1 LIMIT $2',
      { binds: [['reset_token', WORD]] },
      { binds: [['reset_token', '[Filtered]']] },
    ],
    ['select id from posts where slug = ?', { bindings: [WORD] }, { bindings: [WORD] }],
  ]
  for (const [message, data, expected] of crumbs)
    it(`go by its columns: ${message} ${JSON.stringify(data)}`, () => {
      const { breadcrumbs } = scrubFields({
        breadcrumbs: {
          values: [{ type: 'default', level: 'info', category: 'query', message, data: { ...data } }],
        },
      })
      assert.deepEqual(breadcrumbs?.values[0]?.data, expected)
    })
  it('are attributes of a span as well', () => {
    const data = { 'db.query.text': SQL, 'db.query.parameter.0': WORD, 'db.query.parameter.1': '3' }
    const { contexts } = scrubFields({ contexts: { trace: { data } } })
    assert.deepEqual(contexts?.trace?.data, { ...data, 'db.query.parameter.0': '[Filtered]' })
  })
})

describe('fields of a page', () => {
  const crumb = (category: string, message: string) =>
    scrubFields({ breadcrumbs: { values: [{ type: 'default', level: 'info', category, message }] } })
      .breadcrumbs?.values[0]?.message
  it('show nothing that was typed', () => {
    assert.equal(
      crumb('ui.input', 'form > input#q[type="text"][value="otter"]'),
      'form > input#q[type="text"][value="[Filtered]"]',
    )
    assert.equal(
      crumb('ui.click', 'input[type="password"][value="otter"]'),
      'input[type="password"][value="[Filtered]"]',
    )
    assert.equal(
      crumb('ui.click', 'input[name="token"][value="otter"]'),
      'input[name="token"][value="[Filtered]"]',
    )
  })
  it('show what was chosen', () => {
    for (const kept of [
      'input[type="radio"][name="plan"][value="yearly"]',
      'button[value="save"]',
      'a[title="Reset password"]',
    ])
      assert.equal(crumb('ui.input', kept), kept)
  })
})

describe('numbers of a person', () => {
  for (const text of [
    'CPF 529.982.247-25 inválido',
    'National Insurance number AB123456C is taken',
    'PESEL 44051401359 invalid',
    'Aadhaar 2345 6789 0123 failed',
    'Codice fiscale RSSMRA85T10A562S non valido',
    'personnummer 811218-9876 saknas',
    'payment_4111111111111111_failed',
  ])
    it(`are taken out of “${text}”`, () =>
      assert.ok(
        scrubFields({ message: text }).message?.includes('[Filtered]'),
        scrubFields({ message: text }).message,
      ))
  for (const text of [
    'sin 45 is 0.707',
    'run 12345 passed',
    'CPF inválido',
    'passport.js 0.7.0',
    'row_9999999999999',
  ])
    it(`are none in “${text}”`, () => assert.equal(scrubFields({ message: text }).message, text))
  it('stand beside their names', () => {
    const extra = {
      nino: 'AB123456C',
      bsn: 111222333,
      tax_file_number: '123456782',
      tin: 'roof',
      run: '12345',
      sin: 0.5,
    }
    const taken = { nino: '[Filtered]', bsn: '[Filtered]', tax_file_number: '[Filtered]' }
    assert.deepEqual(scrubFields({ extra }).extra, { ...extra, ...taken })
  })
})
