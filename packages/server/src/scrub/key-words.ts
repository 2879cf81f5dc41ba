/** The words that names of secrets are made of. `keys.test.ts` and the labelled set are their specification. */

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

function rules(table: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(table).flatMap(([rule, words]) =>
    words
      .trim()
      .split(/\s+/)
      .map((word) => [word, rule] as const),
  )
}

/** Anywhere in the folded name. */
export const STEMS = rules({
  password: `password passwort kennwort passwd passphrase passcode secvaluedata mysqlpwd passwrd contraseña contrasena motdepasse
    wachtwoord lösenord losenord salasana jelszo adgangskode passord пароль 密码 密碼 パスワード 비밀번호 şifre hasło
    jelszó jelszav parolă mậtkhẩu matkhau katasandi κωδικός סיסמה סיסמא كلمةالمرور رمزعبور رمزالمرور كلمةالسر पासवर्ड รหัสผ่าน 口令 暗号 暗証番号
    zugangsschlüssel unlockpattern snmpcommunity geheimwort losungswort losungswort kodewort palavrapasse geheimzahl zugangsdaten katalaluan sifresi parolasi parolam kodord pwhash passhash
    kodeord lykilorð zugangsschluessel ntlmhash lmhash cleartextpass p4ssw0rd pssword passw0rd p4ssword pa55word lozinka slaptazod slaptažod contrasenya pasahitza`,
  secret: `secret credential serviceaccountjson connectionstr connstr whsec recoveryphrase seedphrase mnemonic codeverifier clientassertion securityanswer secretanswer geheimnis hemlighet codicesegreto codigosecreto gizlianahtar секрет シークレット mfaseed reseturl
    walletseed seedhex samlassertion kerberosticket
    confirmationurl verificationurl activationurl activationlink confirmationlink verificationlink invitelink inviteurl samlresponse
    dockerconfigjson kubeconfig idrsa ided25519 keystorepass magiclink resetlink presignedurl signedurl`,
  api_key: `apikey apitoken accesskey accountkey masterkey encryptionkey encryptkey signingkey signkey applicationkey zugriffsschlüssel zugriffsschluessel cleapi clesecrete chaveapi chiaveapi chiavesegreta kluczapi ключapi klucztajny ключдоступа ключшифрования закрытыйключ apischlüssel apischluessel storagekey
    subscriptionkey functionskey licensekey licencekey webhookkey hmackey authkey consumerkey integrationkey honeycombteam ingestkey
    writekey deploykey sharedkey securitykey serverkey rootkey servicekey adminkey cryptokey cipherkey aeskey jwtkey appkey
    productkey serialkey activationkey signaturekey enckey decryptionkey decryptkey keymaterial sessionsigningkey
    instrumentationkey unlockkey wpakey wifikey networkkey presharedkey merchantkey gatewaykey resourcekey`,
  private_key:
    'chiaveprivata claveprivada chaveprivada cleprivee 密钥 秘密鍵 비밀키 privatekey privkey sshkey pgpkey gpgkey rsakey walletkey sslkey tlskey',
  authorization: 'authorization',
  token: `grantingticket serviceticket authtoken accesstoken refreshtoken токен toegangstoken zugriffstoken jetonacces jetond トークン 令牌 토큰 bearer amzsignature googsignature hubsignature amzsecuritytoken csrf xsrf idtokenhint
    authtok captcharesponse turnstileresponse jenkinscrumb`,
  session:
    'wordpressloggedin wordpresssec sessionindex aspxauth sessionid sessid sessionkey sessiontoken sessioncookie',
  credit_card:
    'creditcard cardnumber ccnumber ccnum cardno cardnum kreditkarte kartennummer numerocarte numerotarjeta numerodetarjeta cardverification securitycode primaryaccountnumber',
  one_time_code: `mfacode otpcode totpcode smscode 2facode authcode verificationcode confirmationcode authorizationcode
    recoverycode backupcode resetcode invitecode invitationcode activationcode logincode accesscode unlockcode onetimecode
    signincode zugangscode toegangscode codigoseguridad codigoverificacion codigodeverificacion codigodeseguridad codeconfidentiel guestcode
    doorcode gatecode emailcode phonecode magiccode rescuecode emergencycode pairingcode pukcode tfabackup twofactorcode verifycode alarmcode vouchercode giftcode redeemcode 验证码 驗證碼 認証コード 인증번호 devicecode usercode pincode scratchcode`,
  personal: `socialsecurity dateofbirth birthdate passportnumber passportno taxnumber taxno taxid nationalid driverlicense driverslicense
    drivinglicence taxfilenumber accountnumber routingnumber bankaccount maidenname taxpayer nationalinsurance driverlicence driverslicence licencenumber kontonummer bankleitzahl cuentabancaria steuernummer steuerid sozialversicherung geburtsdatum fechanacimiento
    fechadenacimiento datenaissance datedenaissance datanascimento datadenascimento dataurodzenia nhsnumber medicarenumber visanumber aadhaar aadhar
    personnummer codicefiscale pannumber patientid sortcode
    sinnumber`,
})
const NOUNS: ReadonlySet<string> = new Set(STEMS.map(([stem]) => stem))

/** True for a word that is what secrets are called, and nothing more: a label, the name of a field. */
export function isSecretNoun(value: string): boolean {
  if (value.length > 40 || !/^[\p{L} _-]+$/u.test(value)) return false
  const folded = value.toLowerCase().replace(/[^\p{L}]/gu, '')
  return NOUNS.has(folded) || WORDS.has(folded) || NOUNS.has(folded.replace(/s$/, ''))
}

/** Ordinary words that a stem is part of. */
export const HARMLESS_WORDS = /secretar(?:y|iat|ies)|secrets?manager|passwordless/g

/** A whole word of the name. */
export const WORDS: ReadonlyMap<string, string> = new Map(
  rules({
    password:
      'pass pwd pw psk passkey pin mpin tpin mtan pushtan puk otp totp hotp rekey geslo losen pswd psw passw pword pasword mdp clave senha mima parola parol parool haslo heslo sifre wachtwoord',
    authorization: 'auth authentication oauth oauth2',
    token: 'token tokens jwt jws jwe sig tok tgt dpop xoauth jeton',
    secret: 'salt pepper geheim creds cred netrc htpasswd otpauth keytab xprv',
    cookie: 'cookie cookies',
    session: 'session sid',
    credit_card: 'cvv cvc cvv2 cvc2 track1 track2',
    iban: 'iban',
    ssn: 'ssn',
    personal: 'dob mrn birthday cpf cnpj dni nif curp pesel bsn cuit cuil snils isikukood tckn mykad cnic',
  }),
)

/** Ends of words that were written together: `dbpass`, `ghtoken`, `userpwd`. */
export const GLUED = rules({ password: 'pass pwd pw passwd', token: 'token tokens jwt', secret: 'creds' })
export const NOT_GLUED = set(
  'jsonwebtoken webtoken bypass compass trespass overpass underpass encompass surpass sidepass multipass renderpass',
)

/** Pairs of words side by side. */
export const PAIRS: ReadonlyMap<string, string> = new Map(
  rules({
    token:
      'gh:pat github:pat gitlab:pat azure:pat ado:pat devops:pat git:pat jira:pat access:pat my:pat npm:pat stripe:sk clerk:sk reporter:id app:certificate',
    personal: 'account:no account:nr account:num acct:no acct:nr acct:num acct:number',
  }),
)

/** Names of secrets and of much else: a secret when the value looks as if it was issued. */
export const WEAK_WORDS = set(
  `key keys signature hmac nonce verifier ticket assertion seed pat challenge invite invitation license licence serial
  fingerprint_secret mac otc pan appid refresh webhook magic activation sas saml sign samlart schluessel cle chave chiave klucz anahtar passport`,
)
/** Words for national numbers, in names that may mean something else: the value decides. */
export const NATIONAL_WORDS = set(
  `nino nie nip tfn sin tin itin nir insee rut hetu cpr amka oib jmbg emso egn nric hkid idnr rfc afm cif nss iin rodnecislo fodselsnummer
  henkilotunnus burgerservicenummer sofinummer reisepass personalausweis ahv avs fiscalcode rodnecislo rijksregisternummer mynumber rrn tckimlik tckn kimlik teudatzehut snils isikukood ppsn pps idnumber nik cnic mykad
  nationalidentity identitynumber asmenskodas sozialversicherungsnummer inn rnokpp svnr tajszam cccd cedula securitesociale numss dpi emiratesid iqama civilid personaskods identitycard kennitala voterid bvn cuie cnp inami burgerservice nrn niss ippsn cmnd ktp`,
)

/** Names of issuers: what stands under them, and is no id, is their key. */
export const ISSUER_WORDS = set(
  `adafruit adobe airtable algolia alibaba anthropic asana atlassian beamer bitbucket bittrex clojars cloudflare codecov cohere
  coinbase confluent contentful databricks datadog deepgram discord doppler droneci dropbox dynatrace easypost etsy fastly
  finicity finnhub flickr flutterwave freshbooks gitter gocardless grafana heroku hubspot intercom jfrog kraken kucoin
  launchdarkly lob mailchimp mailgun mapbox mattermost meraki messagebird netlify newrelic nytimes okta openai pagerduty plaid
  postman rapidapi rollbar sendbird sendgrid shodan snyk sonarqube sourcegraph squarespace sumologic telegram travis trello
  assemblyai postmark brevo deepl elevenlabs huggingface openrouter deepseek tavily pinecone groq openweather openweathermap etherscan vonage nexmo
  twilio sonar vapid twitch typeform virustotal yandex zendesk zoho`,
)
/** The same, of names that say `key` behind it. */
/** Words for a place and what signs one in to it: an address, unless the value is none. */
export const PLACES =
  /^(?:dsn|(?:database|db|redis|mongo(?:db)?|postgres(?:ql)?|mysql|amqp|rabbitmq|broker|smtp|mailer)(?:dsn|ur[li]))$/

export const KEY_ISSUERS: ReadonlySet<string> = new Set([
  ...ISSUER_WORDS,
  ...set(
    `stripe gcp firebase gemini google mistral groq supabase maps mapbox here tomtom recaptcha paypal square razorpay paddle
    mollie adyen klaviyo postmark resend brevo segment mixpanel amplitude posthog sentry honeycomb pusher ably pinecone deepl
    elevenlabs replicate perplexity huggingface together fireworks tavily openrouter deepseek xai claude azure linode vultr
    hetzner digitalocean scaleway fly render vercel neon turso upstash typesense meilisearch giphy unsplash pexels
    openweather weather geocoding etherscan alchemy infura moralis binance clerk workos auth0 intercom crisp drift linear
    notion figma calendly zoom vonage nexmo plivo sinch`,
  ),
])
/** Last words of names whose values are ids, places and times. */
export const NAMING_WORDS = set(
  `id ids uuid guid sha ref channel user users team run trace span url uri host region version name customer project org
  organization account event email domain zone bucket queue topic index app env environment page path file folder branch
  commit hash digest etag cache row column table field primary foreign sort partition object group node component route
  idempotency react list map item translation i18n lookup dedupe message locale query public publishable`,
)

/** Last words that describe a secret without being one: `token_type`, `session_count`. */
export const DESCRIBING = set(
  `count counts type types limit limits length len size expires expiry expired expiration ttl age at on url uri endpoint
  endpoints domain path name names status state enabled required valid invalid usage used policy rules rule requirements regex pattern strength min max
  index position method methods scheme mode provider providers duration timeout started start ended end active
  storage tracking replay version level error errors rate budget per consent banner backend backends sock socket
  service middleware attempts retries module class function file format algorithm alg issuer audience scope scopes
  sampled hint label field input column lifetime interval reset changed updated created strategy verified bucket
  buckets banner kind ref refs options color colour theme exception title heading placeholder tooltip in digits hasher encoder store factory repository manager
  handler generator encryption hashing plugin database validator checker parser controller component screen button icon caption standard prefix suffix separator delimiter ms seconds minutes hours days country currency stream ring arn rotation present missing exists set model models stdin source failed failure alias aliases from change changes validators encoders generators policies`,
)
/** After `session` only these make it a secret; `session_start` and kin are many. */
export const SESSION_SECRETS = set('id key token cookie cookies secret hash data value')
/** Plural counters of language models: `max_tokens`, `prompt_tokens`. */
export const TOKEN_COUNTERS = set(
  'max min total prompt completion input output cached reasoning num used remaining usage count thinking',
)
/** Environment variables end in `_KEY`; these are no secrets. */
export const PUBLIC_KEYS = set('public primary foreign cache sort partition publishable idempotency')

/** `auth.ts`, `cookie.service.js`: names of files, before a line number or as the key of a map. */
export const FILE_NAME =
  /\.(?:[cm]?[jt]sx?|py|rb|go|java|php|rs|cs|kts?|swift|vue|svelte|astro|html?|css|scss|less|json5?|ya?ml|toml|xml|md|mdx|sql|sh|ex|exs|erl|scala|clj|lua|dart|cpp|hpp|cc|fs|vb|pl|pm|erb|haml|slim|twig|jsp|map|txt|log|lock|svg|png|wasm|groovy|gradle|cshtml|razor|zig|nim|jl|mm)$/i
