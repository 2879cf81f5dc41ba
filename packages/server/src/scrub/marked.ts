/** Keys that no prefix tells: what stands inside them, and addresses that are keys themselves. */

/** Keys without a prefix: what stands inside them, and the whole. Each bounded, and tried only where its mark stands. */
export interface MarkedRule {
  readonly id: string
  readonly mark: string
  readonly pattern: RegExp
}

/** Hashes of passwords. Looked for first: what chance wrote within one is not the whole. */
export const HASH_RULES: readonly MarkedRule[] = [
  { id: 'django_key', mark: 'django-insecure-', pattern: /django-insecure-[\w!@#$%^&*(=+)-]{20,80}/g },
  {
    id: 'password_hash',
    mark: '$',
    pattern:
      /\$(?:1|5|6|7|8|9|y|gy|2[abxy]?|P|H|apr1|argon2(?:id?|d)|scrypt|pbkdf2(?:-sha\d{1,3})?|krb5\w{2,8}|bcrypt-sha256|sha1|md5)\$[\w./+$=,*-]{20,512}/g,
  },
  {
    id: 'password_hash',
    mark: 'pbkdf2',
    pattern: /pbkdf2[_:]sha\d{1,3}[$:]\d{1,9}\$[\w+/.=]{1,64}\$[\w+/=]{20,128}/g,
  },
  {
    id: 'password_hash',
    mark: 'scrypt:',
    pattern: /scrypt:\d{1,8}:\d{1,3}:\d{1,3}\$\w{8,64}\$[0-9a-f]{40,256}/g,
  },
]

export const MARKED_RULES: readonly MarkedRule[] = [
  {
    id: 'dropbox_token',
    mark: 'AAAAAAAAAA',
    pattern: /(?<![\w-])(?=[a-z]{0,10}\d)[a-z0-9]{11}AAAAAAAAAA[\w=-]{43}(?![\w-])/g,
  },
  { id: 'password_hash', mark: 'SHA', pattern: /\{S?SHA(?:256|512)?\}[A-Za-z0-9+/=]{24,256}/g },
  { id: 'password_hash', mark: 'aad3b435', pattern: /aad3b435b51404eeaad3b435b51404ee:[0-9a-f]{32}/gi },
  {
    id: 'vault_text',
    mark: '$ANSIBLE_VAULT',
    pattern: /\$ANSIBLE_VAULT;[\w.;]{1,60}(?:\s|\\[nr]){1,8}(?:[0-9a-f\s]|\\[nr]){32,65536}/g,
  },
  { id: 'session', mark: ':1', pattern: /(?<![\w-])\.?eyJ[\w-]{8,512}:1[A-Za-z0-9]{5}:[\w-]{27,64}/g },
  {
    id: 'terraform_token',
    mark: '.atlasv1.',
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,90}/g,
  },
  {
    id: 'rapidapi_key',
    mark: 'msh',
    pattern: /(?<![0-9A-Za-z])[0-9a-f]{10}msh[0-9a-f]{15}p1[0-9a-f]{5}jsn[0-9a-f]{12}(?![0-9a-z])/g,
  },
  { id: 'password_hash', mark: '*', pattern: /(?<![\w*])\*(?=[A-F]{0,39}\d)[0-9A-F]{40}(?!\w)/g },
  { id: 'robot_token', mark: '+', pattern: /(?<=\w\+\w{1,32}:)[A-Z\d]{48,80}(?![\w-])/g },
  { id: 'twilio_token', mark: 'AC', pattern: /(?<=\bAC[0-9a-f]{32}:)[0-9a-f]{32}(?!\w)/g },
  { id: 'ably_key', mark: ':', pattern: /(?<![\w.-])[\w-]{6}\.[\w-]{6}:[\w-]{43}(?![\w-])/g },
  { id: 'sign_in_ticket', mark: 'T-', pattern: /(?<![\w-])(?:ST|PT|TGT|PGT)-\d{1,9}-[\w.-]{16,200}/g },
  {
    id: 'razorpay_secret',
    mark: 'd]:',
    pattern: /(?<=(?:rzp_\w{18}|\[Filtered\]):)(?=[A-Za-z]{0,23}\d)[A-Za-z\d]{24}(?![\w-])/g,
  },
  { id: 'maxmind_key', mark: '_mmk', pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b/g },
  { id: 'azure_secret', mark: 'Q~', pattern: /(?<![\w~.])[\w~.]{3}\dQ~[\w~.-]{31,34}/g },
  { id: 'mailchimp_key', mark: '-us', pattern: /(?<![0-9a-f])[0-9a-f]{32}-us\d{1,2}\b/g },
  {
    id: 'mailgun_key',
    mark: '-',
    pattern: /(?<![0-9a-z-])(?=[a-f]{0,31}\d)[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![0-9a-z-])/g,
  },
  {
    id: 'discord_token',
    mark: '.',
    pattern: /(?<![\w.-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/g,
  },
  {
    id: 'github_token',
    mark: 'v1.',
    pattern: /(?<![\w.-])v1\.(?=[a-f]{0,39}\d)[0-9a-f]{40}(?![\w-])/g,
  },
  {
    id: 'bitwarden_token',
    mark: ':',
    pattern: /(?<![\w.])0\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/]{22}==/g,
  },
  {
    id: 'convex_key',
    mark: '|',
    pattern: /(?<![\w-])(?:prod|dev|preview|project):[\w-]{3,64}(?::[\w-]{1,64}){0,2}\|[\w+/=-]{20,512}/g,
  },
  { id: 'telegram_token', mark: ':A', pattern: /(?<!\d)\d{8,10}:A[\w-]{34}(?![\w-])/g },
  {
    id: 'newrelic_key',
    mark: 'NRAL',
    pattern: /(?<![0-9A-Za-z])(?:[0-9a-f]{32}(?:[0-9a-f]{4}|FFFF)|[a-z]{2}\d\dxx[0-9a-f]{30})NRAL\b/g,
  },
  { id: 'jenkins_token', mark: '11', pattern: /(?<![\w.-])11[0-9a-f]{32}(?![\w-])/g },
  { id: 'contentstack_token', mark: 'cs', pattern: /(?<![\w.-])cs(?=[a-f]{0,31}\d)[0-9a-f]{32}(?![\w-])/g },
  {
    id: 'fal_key',
    mark: ':',
    pattern: /(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:[0-9a-f]{32}(?![\w-])/g,
  },
  {
    id: 'zai_key',
    mark: '.',
    pattern: /(?<![\w.-])(?=[a-f]{0,31}\d)[0-9a-f]{32}\.(?=[A-Za-z]{0,15}\d)[A-Za-z0-9]{16}(?![\w.-])/g,
  },
  { id: 'github_token', mark: 'A', pattern: /(?<![\w-])A(?=(?:[A-Z]{0,20}[2-7]){3})[A-Z2-7]{28}(?![\w-])/g },
  { id: 'oculus_token', mark: 'OC|', pattern: /(?<!\w)OC\|\d{14,20}\|[\w-]{20,60}/g },
  // The name of a service stands inside the keys that a cloud issues for it, eight letters from their end.
  {
    id: 'azure_key',
    mark: 'A',
    pattern:
      /(?<![\w+/])[A-Za-z0-9+/]{32,78}(?:AzSe|AzCa|AzFu|AIoT|ACDb|APIM|\+AEh|\+ASb|\+ASt|\+ARm|\+ABa|\+ACR)[\w+/]{5,8}={0,2}(?![\w+/=])/g,
  },
  // Base32 as seeds are written: `S` says that it is no public key.
  {
    id: 'seed_key',
    mark: 'S',
    pattern: /(?<![\w-])(?=[A-Z]{0,40}[2-7])S[A-Z2-7]{55}(?:[A-Z2-7]{2})?(?![\w-])/g,
  },
  {
    id: 'unleash_token',
    mark: ':',
    pattern: /(?<![\w-])(?:\*|\w[\w-]{0,63}):[\w-]{1,64}\.(?=[a-f]{0,55}\d)[0-9a-f]{56,64}(?![\w-])/g,
  },
  { id: 'ghost_key', mark: ':', pattern: /(?<![0-9a-f])[0-9a-f]{24}:[0-9a-f]{64}(?![0-9a-f])/g },
  { id: 'asana_token', mark: '/', pattern: /(?<![\w/])[12]\/\d{10,20}(?:\/\d{10,20})?:[0-9a-f]{32}\b/g },
  { id: 'facebook_token', mark: '|', pattern: /(?<!\d)\d{15,16}\|[\w-]{27,40}(?![\w-])/g },
  {
    id: 'twitter_token',
    mark: '-',
    pattern: /(?<![\w-])\d{15,20}-(?=[a-z]{0,39}[A-Z0-9])[A-Za-z0-9]{40}(?![\w-])/g,
  },
]

/** The same, told by what stands before the domain. */
export const HOOK_HOST = /(?<![\w.-])[a-z0-9]{12,60}(?=\.m\.pipedream\.net)/g

/** Addresses that are keys themselves: what follows them opens the door. */
export const KEY_ADDRESS =
  /(?<![\w.-])((?:(?:[\w-]{1,60}\.){1,2}alchemy\.com\/v\d\/|[\w-]{1,60}\.infura\.io\/v\d\/|(?:[\w-]{1,60}\.){1,3}quiknode\.pro\/|rpc\.ankr\.com\/\w{1,40}\/|hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/|(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/webhooks\/|hooks\.zapier\.com\/hooks\/catch\/|[a-z0-9]{1,60}\.webhook\.office\.com\/webhookb2\/|hook(?:\.[a-z0-9]{2,6})?\.(?:make|integromat)\.com\/|api\.telegram\.org\/bot|outlook\.office\.com\/webhook\/|maker\.ifttt\.com\/trigger\/[\w-]{1,60}\/(?:json\/)?with\/key\/|open\.(?:feishu|larksuite)\.(?:cn|com)\/open-apis\/bot\/v2\/hook\/|webhook\.site\/|hc-ping\.com\/(?:ping\/)?|api\.render\.com\/deploy\/[\w-]{4,40}\?key=|[\w.-]{1,60}\/webhook(?:-test)?\/(?=[0-9a-f]{8}-)|logs-01\.loggly\.com\/(?:inputs|bulk)\/|api\.day\.app\/|a\.rtmp\.youtube\.com\/live2\/|live[\w-]{0,12}\.twitch\.tv\/app\/|[\w.-]{1,60}\/api\/push\/|alert\.victorops\.com\/integrations\/\w{1,20}\/\d{1,12}\/alert\/|api\.openweathermap\.org\/[^\s"'<>]{1,200}?[?&]appid=|events\.pagerduty\.com\/integration\/|calendar\.google\.com\/calendar\/ical\/[\w.%@-]{1,120}\/private-|connect\.pabbly\.com\/workflow\/sendwebhookdata\/))[\w@/:-]{8,400}/g

/** Text of a picture that lets a telephone into a network: `WIFI:S:home;T:WPA;P:X;;`. */
export const WIFI =
  /(\bWIFI:(?:[A-OQ-Z][A-Z0-9]?:(?:\\.|[^;\\\n]){0,64};){0,6}P:)((?:\\.|[^;\\\n]){4,64})(?=;)/g
