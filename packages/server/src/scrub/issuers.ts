/**
 * How issuers write their keys, after the rules that public scanners publish. A row: id of the rule, prefixes, letters
 * of what follows, its shortest and longest length. What follows must look random as well, whatever its length.
 */

/** Letters of a key, as bits: a character is in an alphabet when they share one. */
const LOWER_HEX = 1
const UPPER_HEX = 2
const DIGIT = 4
const LOWER_REST = 8
const UPPER_REST = 16
const DASH = 32
const UNDERSCORE = 64
const DOT = 128
const BASE64 = 256
const DOLLAR = 512

const HEX = LOWER_HEX | UPPER_HEX | DIGIT
const UPPER = UPPER_HEX | UPPER_REST | DIGIT
export const ALNUM = HEX | LOWER_REST | UPPER_REST
const WORD = ALNUM | DASH | UNDERSCORE
const DOTTED = WORD | DOT
export const BLOB = WORD | BASE64
const HEX_PARTS = HEX | DASH
/** Capitals, digits, and what joins groups of them. */
export const UPPER_PARTS = UPPER | DASH | UNDERSCORE

/** Which bits each character of ASCII has. */
export const LETTER_BITS: Uint16Array = lettersOf([
  ['abcdef', LOWER_HEX],
  ['ABCDEF', UPPER_HEX],
  ['0123456789', DIGIT],
  ['ghijklmnopqrstuvwxyz', LOWER_REST],
  ['GHIJKLMNOPQRSTUVWXYZ', UPPER_REST],
  ['-', DASH],
  ['_', UNDERSCORE],
  ['.', DOT],
  ['+/=', BASE64],
  ['$', DOLLAR],
])

function lettersOf(classes: readonly (readonly [string, number])[]): Uint16Array {
  const table = new Uint16Array(128)
  for (const [letters, bit] of classes) for (const letter of letters) table[letter.charCodeAt(0)] = bit
  return table
}

type Row = readonly [id: string, prefixes: string, letters: number, charsMin: number, charsMax?: number]

const CLOUDS: readonly Row[] = [
  ['aws_key', 'AKIA ASIA ABIA ACCA AROA AIDA AGPA ANPA ANVA AIPA APKA ASCA', UPPER, 16, 16],
  ['aws_key', 'A3T', UPPER, 17, 17],
  ['aws_bedrock_key', 'ABSK bedrock-api-key-', BLOB, 40],
  ['aws_appsync_key', 'da2-', ALNUM, 26, 26],
  ['alibaba_key', 'LTAI', ALNUM, 12, 30],
  ['alibaba_key', 'STS.', ALNUM, 16, 64],
  ['tencent_key', 'AKID', ALNUM, 13, 40],
  ['google_key', 'AIza', WORD, 30, 60],
  ['amazon_token', 'amzn.mws. amzn1.oa2-cs.v1. amzn1.application-oa2-client.', HEX_PARTS, 32],
  ['pubnub_key', 'sec-c-', WORD, 30],
  ['pubnub_key', 'sub-c- pub-c-', HEX_PARTS, 36, 36],
  ['google_token', 'ya29. ya29.a0', DOTTED, 20],
  ['google_refresh_token', '1//0', WORD, 30],
  ['google_code', '4/0A', WORD, 30],
  ['google_client_secret', 'GOCSPX-', WORD, 20, 64],
  ['yandex_key', 'AQVN', WORD, 30, 60],
  ['yandex_key', 'y0_ y1_ y2_ y3_', WORD, 40],
  ['yandex_key', 'YC', WORD, 38, 38],
  ['yandex_key', 'YCAJE', WORD, 20, 20],
  ['datadog_key', 'DDRCM_', UPPER, 80],
  ['yandex_token', 't1.9 t1.7', DOTTED, 80],
  ['digitalocean_token', 'dop_v1_ doo_v1_ dor_v1_', HEX, 40],
  ['digitalocean_key', 'DO00 DO80', UPPER, 16, 16],
  ['docker_token', 'SWMTKN-1- SWMKEY-1-', BLOB, 40],
  ['upcloud_token', 'ucat_', UPPER, 24, 40],
  ['scaleway_key', 'SCW', UPPER, 17, 17],
  ['scalingo_token', 'tk-us- tk-eu- tk-', WORD, 40],
  ['heroku_key', 'HRKU-', WORD, 30],
  ['fly_token', 'fo1_ fm1a_ fm1r_ fm2_ FlyV1', BLOB, 40],
  ['netlify_token', 'nfp_ nfc_ nfo_ nfu_ nfb_', ALNUM, 30],
  ['vercel_token', 'vercel_blob_rw_ vcp_ vci_ vca_ vcr_ vck_', WORD, 20],
  ['supabase_key', 'sbp_ sb_secret_ sbp_oauth_', WORD, 20],
  ['neon_key', 'napi_', ALNUM, 30],
  ['neon_password', 'npg_', ALNUM, 10, 40],
  ['render_key', 'rnd_', ALNUM, 24],
  ['railway_token', 'rlwy_oaci_ rlwy_', ALNUM, 30],
  ['hetzner_token', 'hcloud_', ALNUM, 40],
  ['aiven_password', 'AVNS_', WORD, 16, 40],
  ['google_key', 'AQ.Ab8', WORD, 40, 60],
  ['google_hmac_key', 'GOOG1E GOOG1', UPPER, 40, 62],
  ['ibm_key', 'ApiKey-', HEX_PARTS, 36, 36],
  ['oracle_token', 'ocid1.credential.', DOTTED, 30],
  ['volcano_key', 'AKLT', BLOB, 30, 60],
  ['baidu_key', 'bce-v3/ALTAK- ALTAK-', BLOB, 20, 120],
  ['qiniu_key', 'QBox', WORD, 40],
  ['akamai_token', 'akab-', WORD, 16, 60],
  ['cockroach_key', 'CCDB1_', WORD, 30],
  ['upstash_key', 'upk_ qstash_', WORD, 24],
  ['infura_key', 'infura_', ALNUM, 24],
  ['unkey_key', 'unkey_', ALNUM, 20],
  ['northflank_token', 'nf-', HEX, 32],
  ['koyeb_token', 'koyeb_', ALNUM, 30],
  ['vultr_key', 'vultr_', ALNUM, 30],
  ['cloudflare_key', 'v1.0-', HEX_PARTS, 80],
  ['planetscale_token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', DOTTED, 30],
  ['databricks_token', 'dapi dkea dose', HEX_PARTS, 32, 40],
  ['mongodb_atlas_secret', 'mdb_sa_sk_', WORD, 30],
  ['tailscale_key', 'tskey-', WORD, 16],
  ['pulumi_token', 'pul-', HEX, 40, 40],
  ['terraform_key', 'tfe-', WORD, 30],
  ['deno_token', 'ddp_ ddw_ ddo_', ALNUM, 30],
  ['prefect_token', 'pnu_ pnb_', ALNUM, 30],
  ['openshift_token', 'sha256~', WORD, 40],
  ['zoho_token', '1000.', HEX | DOT, 60, 70],
]

const CODE_HOSTS: readonly Row[] = [
  ['github_token', 'ghp_ gho_ ghu_ ghs_ ghr_', ALNUM, 20, 255],
  ['github_token', 'github_pat_', WORD, 20, 255],
  [
    'gitlab_token',
    'glpat- gldt- glrt- glrtr- glptt- glft- gloas- glsoat- glimt- glagent- glffct- glcbt- glwt- glpt- glrtb-',
    DOTTED,
    16,
    320,
  ],
  ['gitlab_token', 'GR1348941', WORD, 20, 60],
  ['atlassian_token', 'ATATT3 ATCTT3 ATOA', BLOB, 50],
  ['bitbucket_token', 'ATBB BBDC-', WORD, 24, 60],
  ['trello_token', 'ATTA', ALNUM, 50],
  ['azure_devops_token', 'AZDO', ALNUM, 40],
  ['npm_token', 'npm_', ALNUM, 30, 60],
  ['jetbrains_token', 'perm: perm-', BLOB | DOT, 60],
  ['pypi_token', 'pypi-', WORD, 30],
  ['rubygems_key', 'rubygems_', HEX, 40, 64],
  ['docker_token', 'dckr_pat_ dckr_oat_ dckr_org_', WORD, 20],
  ['nuget_key', 'oy2', ALNUM, 43, 43],
  ['clojars_token', 'CLOJARS_ clojars_', ALNUM, 50],
  ['crates_token', 'cio', ALNUM, 32, 32],
  ['artifactory_key', 'AKCp', ALNUM, 60, 80],
  ['artifactory_key', 'cmVmd', ALNUM, 55, 64],
  ['sentry_token', 'sntrys_ sntryu_ sntrya_ sntryi_', BLOB | DOT, 16],
  ['sonar_token', 'sqp_ sqa_ squ_', HEX, 32],
  ['openvsx_token', 'ovsxp_ ovsxat_', HEX_PARTS, 32],
  ['codecov_token', 'codecov_', ALNUM, 32],
  ['gitea_token', 'gta_ gto_ fgj_', HEX, 40],
  ['codacy_token', 'codacy_', ALNUM, 20],
  ['cloudsmith_key', 'csm_', ALNUM, 24],
  [
    'packagist_token',
    'packagist_uut_ packagist_ack_ packagist_acs_ packagist_ort_ packagist_out_ packagist_cut_',
    HEX,
    28,
  ],
  ['coderabbit_key', 'cr-', HEX, 50, 64],
  ['zuplo_key', 'zpka_', WORD, 30],
  ['expo_token', 'expo_ EXPO_', WORD, 30],
  ['checkly_key', 'cu_', HEX, 32, 32],
  ['raycast_token', 'rca_', HEX, 40],
  ['valtown_token', 'vtwn_', ALNUM, 24],
  ['thunderstore_token', 'tss_', ALNUM, 32],
  ['rootly_key', 'rootly_', HEX, 32],
  ['mergify_key', 'mka_', WORD, 32],
  ['depot_token', 'depot_org_ depot_project_ depot_', ALNUM, 30],
  ['nx_token', 'nx_', ALNUM, 32],
  ['turbo_token', 'turbo_', ALNUM, 30],
  ['bitrise_token', 'bit_', WORD, 40],
  ['ionic_token', 'ion_', ALNUM, 36],
  ['endor_key', 'endr+', WORD, 16],
  ['semgrep_token', 'sgcli_', HEX, 40],
  ['codeberg_token', 'cbt_', HEX, 40],
  ['radicle_key', 'rad_', ALNUM, 40],
  ['sourcegraph_token', 'sgp_ slk_ sgd_ sgph_', WORD, 30],
  ['buildkite_token', 'bkpt_ bkua_ bkct_ bkaj_ bkcq_ bkpat_ bkat_ bkpi_', ALNUM, 32],
  ['circleci_token', 'CCIPAT_ CCIPRJ_', WORD, 30],
  ['octopus_key', 'API-', UPPER, 25, 32],
  ['harness_token', 'pat. sat.', DOTTED, 60],
  ['snyk_token', 'snyk_uat. snyk_sat. snyk_', DOTTED, 30],
  ['posthog_key', 'phx_ phs_', ALNUM, 40],
  ['infracost_token', 'ico-', ALNUM, 32, 40],
  ['pyx_key', 'sk-pyx-', ALNUM, 40],
  ['appsweep_key', 'gs_appsweep_', ALNUM, 20],
  ['builder_key', 'bpk-', HEX, 32, 32],
  ['blockprotocol_key', 'b10ck5.', DOTTED, 40],
  ['contentstack_key', 'blt', HEX, 16, 32],
  ['mappedin_key', 'mik_', ALNUM, 20],
  ['seam_key', 'seam_', WORD, 24],
  ['devcycle_key', 'dvc_server_', WORD, 8, 80],
  ['testkube_key', 'tkcapi_', ALNUM, 24, 60],
  ['tolgee_key', 'tgpak_ tgpat_', ALNUM, 32],
  ['iterative_token', 'isat_', HEX_PARTS, 36, 36],
  ['launchdarkly_key', 'sdk- mob- api-', HEX_PARTS, 36, 36],
  ['postman_key', 'PMAK- PMAT-', WORD, 20],
  ['readme_token', 'rdme_', ALNUM, 60],
]

const PAYMENTS: readonly Row[] = [
  [
    'stripe_key',
    'sk_live_ sk_test_ sk_prod_ sk_org_live_ sk_org_test_ rk_live_ rk_test_ rk_prod_',
    BLOB,
    8,
    255,
  ],
  ['webhook_secret', 'whsec_ v1,whsec_', BLOB, 16],
  ['square_token', 'sq0atp- sq0csp- sq0idp- sq0asp-', WORD, 20, 64],
  ['square_token', 'EAAA', WORD, 50],
  ['paypal_token', 'access_token$production$ access_token$sandbox$', ALNUM | DOLLAR, 20],
  [
    'plaid_token',
    'access-sandbox- access-development- access-production- public-production- public-sandbox- link-sandbox- link-development- link-production- asset-report-production- processor-production-',
    HEX_PARTS,
    30,
  ],
  ['razorpay_key', 'rzp_live_ rzp_test_', ALNUM, 14],
  ['backblaze_key', 'K000 K001 K002 K003 K004 K005', BLOB, 27, 28],
  ['adyen_key', 'AQE', BLOB, 60],
  ['flutterwave_key', 'FLWSECK_TEST- FLWSECK- FLWSECK_', WORD, 12],
  [
    'shopify_token',
    'shpat_ shpca_ shppa_ shpss_ shptka_ shpua_ shprt_ shpit_ shpltk_ prtapi_ atkn_',
    HEX,
    24,
  ],
  ['live_key', 'live_ test_ sandbox_', BLOB, 20, 80],
  ['mercadopago_token', 'APP_USR-', WORD, 40],
  ['midtrans_key', 'Mid-server- SB-Mid-server-', WORD, 12],
  ['persona_key', 'persona_production_ persona_sandbox_', WORD, 20],
  ['paddle_key', 'pdl_live_apikey_ pdl_sdbx_apikey_ pdl_ntfset_', ALNUM | UNDERSCORE, 30],
  ['polar_token', 'polar_oat_ polar_pat_ polar_rst_ polar_at_', WORD, 20],
  ['chargebee_key', 'cb_live_ cb_test_', ALNUM, 20],
  ['xendit_key', 'xnd_production_ xnd_development_', WORD, 24],
  ['lemonsqueezy_key', 'lsq_', ALNUM, 24],
  ['lightspark_key', 'lsxs_pt_ lsxs_at_', WORD, 24],
  ['mercury_token', 'secret-token:mercury_production_ secret-token:mercury_sandbox_ secret-token:', WORD, 24],
  ['checkout_key', 'sk_sbox_', ALNUM, 20],
  ['stytch_secret', 'secret-live- secret-test-', WORD, 24],
  ['woocommerce_key', 'ck_ cs_', HEX, 40, 40],
  ['bigcommerce_token', 'bcom_', ALNUM, 30],
  ['asaas_key', 'aact_prod_ aact_hmlg_', WORD, 20],
  ['fleetbase_key', 'flb_live_ flb_test_', ALNUM, 16],
  ['moneywave_key', 'ts_ lv_', UPPER, 26, 40],
  ['ebay_secret', 'PRD- SBX-', HEX_PARTS, 28, 40],
  ['robinhood_key', 'rh-api-', HEX_PARTS, 36, 36],
  ['duffel_token', 'duffel_live_ duffel_test_', WORD, 30],
  ['easypost_key', 'EZAK EZTK', ALNUM, 50],
  ['worldpay_key', 'T_S_ L_S_', HEX_PARTS, 36, 36],
  ['shippo_token', 'shippo_live_ shippo_test_', HEX, 32],
  ['wallet_key', 'nsec1', ALNUM, 58, 58],
  ['lichess_token', 'lip_ lio_', ALNUM, 16, 32],
  ['wallet_key', 'xprv tprv yprv zprv', ALNUM, 100, 112],
]

const MESSAGES: readonly Row[] = [
  [
    'slack_token',
    'xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxb- xoxe.xoxp- xapp- xwfp-',
    WORD,
    8,
  ],
  ['sendgrid_key', 'SG.', DOTTED, 30],
  ['brevo_key', 'xkeysib- xsmtpsib-', WORD, 40],
  ['mandrill_key', 'md-', WORD, 22, 22],
  ['imagekit_key', 'private_', BLOB, 28, 44],
  ['mailgun_key', 'key-', ALNUM, 32, 32],
  ['mailgun_key', 'pubkey-', ALNUM, 32, 32],
  ['mailersend_key', 'mlsn.', HEX, 40],
  ['resend_key', 're_', ALNUM | UNDERSCORE, 20, 48],
  ['twilio_key', 'SK AC', HEX, 32, 32],
  ['telnyx_key', 'KEY0', WORD, 30],
  ['discord_token', 'mfa.', WORD, 60],
  ['intercom_token', 'dG9rO', BLOB, 40],
  ['hubspot_token', 'pat-na1- pat-na2- pat-eu1- pat-ap1- pat-', HEX_PARTS, 36, 36],
  ['facebook_token', 'EAA', ALNUM, 80],
  ['facebook_token', 'EAACEdEose0cBA', WORD, 8],
  ['instagram_token', 'IGQV IGAA', WORD, 60],
  ['twitter_token', 'AAAAAAAAAAAAAAAAAAAAA', BLOB, 40],
  ['linkedin_secret', 'WPL_AP1. WPL_AP0.', BLOB | DOT, 16],
  ['pagerduty_token', 'pdus+ pdeu+', BLOB, 20],
  ['typeform_token', 'tfp_', DOTTED, 40],
  ['zoom_token', 'zak_ zpk_', WORD, 30],
  ['nylas_key', 'nyk_', ALNUM, 40],
  ['courier_key', 'pk_prod_ dk_prod_ pk_test_', UPPER, 26, 40],
  ['customerio_key', 'cio_', ALNUM, 30],
  ['knock_key', 'knock_', WORD, 24],
  ['onesignal_key', 'os_v2_app_ os_v2_org_', ALNUM, 30],
  ['dub_key', 'dub_', ALNUM, 24, 40],
  ['pinterest_token', 'pina_ pinr_', ALNUM, 40],
  ['lark_token', 't-g1 u-g1 a-g1', ALNUM, 24, 60],
  ['reddit_token', 'reddit_', WORD, 24],
  ['klaviyo_key', 'pk_', HEX, 34, 34],
  ['loops_key', 'loops_', ALNUM, 24],
  ['tiktok_token', 'act. clt. rft.', ALNUM, 60],
  ['viber_token', 'viber_', WORD, 30],
  ['matrix_token', 'syt_ syr_', WORD, 24],
  ['dropbox_token', 'sl.', DOTTED, 60],
  ['airtable_token', 'pat', ALNUM | DOT, 70, 90],
  ['airtable_key', 'key', ALNUM, 14, 14],
]

const MODELS: readonly Row[] = [
  ['anthropic_key', 'sk-ant-', WORD, 20],
  ['openai_key', 'sk-proj- sk-svcacct- sk-admin- sk-None- sess-', WORD, 20],
  ['openai_key', 'sk-', ALNUM, 20, 120],
  ['openrouter_key', 'sk-or-v1- sk-or-', WORD, 20],
  ['langfuse_key', 'sk-lf- pk-lf-', HEX_PARTS, 30],
  ['secret_key', 'sk-', WORD, 28, 255],
  ['huggingface_token', 'hf_ api_org_', ALNUM, 24, 64],
  ['groq_key', 'gsk_', ALNUM, 30],
  ['perplexity_key', 'pplx-', ALNUM, 30],
  ['replicate_token', 'r8_', ALNUM, 30],
  ['retool_token', 'retool_', ALNUM, 24],
  ['ubidots_token', 'BBFF-', ALNUM, 26],
  ['xai_key', 'xai-', ALNUM, 40],
  ['nvidia_key', 'nvapi-', WORD, 40],
  ['pinecone_key', 'pcsk_', WORD, 30],
  ['langsmith_key', 'lsv2_pt_ lsv2_sk_ ls__', WORD, 30],
  ['tavily_key', 'tvly-', WORD, 20],
  ['voyage_key', 'pa-', WORD, 40, 60],
  ['cerebras_key', 'csk-', ALNUM, 30],
  ['jina_key', 'jina_', WORD, 40],
  ['firecrawl_key', 'fc-', HEX, 32, 32],
  ['runpod_key', 'rpa_', ALNUM, 40, 70],
  ['baseten_key', 'bt_', ALNUM, 30, 40],
  ['elevenlabs_key', 'sk_', HEX, 48, 48],
  ['apify_key', 'apify_api_', ALNUM, 30],
  ['wandb_key', 'wandb_v1_', WORD, 40],
  ['logfire_token', 'pylf_v1_us_ pylf_v1_eu_ pylf_v2_us_ pylf_v2_eu_', ALNUM, 30],
  ['cursor_key', 'key_ crsr_', HEX, 64, 64],
  ['exa_key', 'exa_', WORD, 24],
  ['hyperbolic_key', 'hyp_', WORD, 30],
  ['friendli_key', 'flp_', ALNUM, 30],
  ['weaviate_key', 'wvt_', WORD, 30],
  ['modal_token', 'as- ak-', ALNUM, 22, 22],
  ['letta_key', 'sk-let-', WORD, 24],
  ['kagi_key', 'kagi_', WORD, 24],
  ['deepseek_key', 'sk-', HEX, 32, 32],
  ['fireworks_key', 'fw_', ALNUM, 20],
  ['together_key', 'tgp_v1_', WORD, 30],
  ['ai71_key', 'ai71-api-', HEX_PARTS, 36, 36],
  ['mintlify_key', 'mint_ mint_dsc_', ALNUM, 20],
  ['browserbase_key', 'bb_live_ bb_test_', WORD, 20],
]

const OPERATIONS: readonly Row[] = [
  ['vault_token', 'hvs. hvb. hvr.', WORD, 20],
  ['vault_token', 's. b. r.', ALNUM, 24, 24],
  ['doppler_token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. dp.said.', DOTTED, 30],
  ['onepassword_key', 'A3-', UPPER | DASH, 30, 40],
  ['onepassword_key', 'ops_eyJ', BLOB, 40],
  ['age_key', 'AGE-SECRET-KEY-1 AGE-PLUGIN-', UPPER, 50, 70],
  ['onepassword_key', '1PRK-', UPPER_PARTS, 30],
  ['age_key', 'AGE-SECRET-KEY-PQ-1', UPPER, 50],
  ['exoscale_key', 'EXO', ALNUM, 24, 30],
  ['fullstory_key', 'na1. eu1.', ALNUM, 32, 40],
  ['laravel_key', 'base64:', BLOB, 43, 44],
  ['unleash_token', 'user:', HEX, 56, 56],
  // Tokens and keys as settings of containers hold them: in Base64.
  ['jwt', 'ZXlK', BLOB, 60],
  [
    'private_key',
    'LS0tLS1CRUdJTiBSU0Eg LS0tLS1CRUdJTiBQUkl LS0tLS1CRUdJTiBFQyB LS0tLS1CRUdJTiBPUEV LS0tLS1CRUdJTiBFTkN LS0tLS1CRUdJTiBEU0E LS0tLS1CRUdJTiBQR1A',
    BLOB,
    40,
  ],
  ['grafana_token', 'glc_ glsa_', BLOB, 30],
  ['newrelic_key', 'NRAK- NRJS- NRII- NRIQ- NRRA- NRBR- NRAA-', WORD, 18],
  ['dynatrace_token', 'dt0a01. dt0c01. dt0s01. dt0s02. dt0s03. dt0s08. dt0s16.', DOTTED, 40],
  ['honeycomb_key', 'hcaik_ hcaic_ hcxik_ hcxic_ hcamk_ hcxmk_ hcalk_', WORD, 30],
  ['linear_key', 'lin_api_ lin_oauth_ lin_wh_', ALNUM, 24],
  ['notion_token', 'ntn_', ALNUM, 40],
  ['figma_token', 'figd_ figu_ figo_ figdr_ figh_', WORD, 30],
  ['contentful_token', 'CFPAT-', WORD, 30],
  ['frameio_token', 'fio-u-', BLOB, 40],
  ['adobe_secret', 'p8e- p8-', WORD, 24, 64],
  ['asana_token', '0/ 1/ 2/', HEX | DASH, 32, 64],
  ['authress_key', 'sc_ ext_ scauth_ authress_', BLOB | DOT, 50],
  ['intra42_secret', 's-s4t2ud- s-s4t2af-', HEX, 60],
  ['settlemint_token', 'sm_aat_ sm_pat_ sm_sat_', ALNUM, 16],
  ['defined_key', 'dnkey-', BLOB, 60],
  ['clickup_token', 'pk_', UPPER | UNDERSCORE, 36, 60],
  ['infisical_token', 'st.', DOTTED, 56],
  ['adafruit_key', 'aio_', ALNUM, 28, 28],
  ['arcjet_key', 'ajkey_', ALNUM, 20],
  ['beamer_key', 'b_', ALNUM, 44, 44],
  ['betterstack_token', 'bs_tel_', ALNUM, 20],
  ['brave_key', 'BSA', WORD, 24, 32],
  ['browserstack_key', 'bstack_', ALNUM, 18],
  ['close_key', 'api_', ALNUM | DOT, 40, 60],
  ['composio_key', 'ak_ ck_', WORD, 20, 24],
  ['hcaptcha_secret', 'ES_', HEX, 32, 32],
  ['nightfall_key', 'NF-', ALNUM, 30, 40],
  ['onfido_token', 'api_live. api_sandbox. api_live_us. api_live_ca.', DOTTED, 20],
  ['pagerduty_token', 'u+ y+ w+', WORD, 17, 19],
  ['skyflow_key', 'sky-', ALNUM | DASH, 36, 44],
  ['stackhawk_key', 'hawk.', DOTTED, 36],
  ['age_key', 'AGE-PLUGIN-YUBIKEY-', UPPER, 50, 70],
  ['fastly_token', 'fastly_', WORD, 30],
  ['censys_key', 'censys_', ALNUM, 24],
  ['aikido_secret', 'AIK_SECRET_ AIK_CLIENT_ AIK_CI_', ALNUM, 20],
  ['contentful_token', 'contentful_', WORD, 30],
  ['figma_token', 'figr_ figoh_ figoR_ figor_', WORD, 30],
  ['lokalise_token', 'lok_', ALNUM, 30],
  ['samsara_token', 'samsara_api_', ALNUM, 20],
  ['postmark_token', 'POSTMARK_', WORD, 24],
  ['openobserve_key', 'o2oi_', WORD, 30],
  ['axiom_token', 'xaat- xapt-', HEX_PARTS, 36, 36],
  ['statsig_key', 'secret- client-', ALNUM, 36, 60],
  ['configcat_key', 'configcat-sdk-', BLOB, 30],
  ['flagsmith_key', 'ser.', ALNUM, 20, 30],
  ['bugsnag_key', 'bsk_', HEX, 32],
  ['logdna_key', 'sts_', HEX, 32],
  ['highlight_key', 'hl_', ALNUM, 32],
  ['incident_key', 'inc_', HEX, 60],
  ['wiz_key', 'wiz_', ALNUM, 40],
  ['pangea_token', 'pts_', ALNUM, 32],
  ['ory_token', 'ory_at_ ory_rt_ ory_st_ ory_pat_ ory_ac_ ory_lo_', DOTTED, 24],
  ['fusionauth_key', 'fa_', WORD, 50],
  ['teleport_token', 'tele_', ALNUM, 32],
  ['netbird_token', 'nbp_ nbs_', ALNUM, 36],
  ['zerotier_token', 'zt_', ALNUM, 32],
  ['pagertree_key', 'ptr_', ALNUM, 24],
  ['wakatime_key', 'waka_', WORD, 30],
  ['ngrok_key', 'ak_ cr_', ALNUM, 26, 40],
  ['inngest_key', 'signkey-prod- signkey-test- signkey-branch-', HEX, 30],
  ['trigger_key', 'tr_dev_ tr_prod_ tr_stg_', ALNUM, 20],
  ['clickhouse_key', '4b1d', ALNUM, 38, 38],
  ['sanity_token', 'sk', ALNUM, 80],
  ['chromatic_token', 'chpt_', ALNUM, 10, 24],
  ['dash0_token', 'auth_', ALNUM, 32, 32],
  ['fauna_key', 'fnAA fnAB fnAC fnAD fnAE fnAF fnAG', WORD, 32, 48],
  ['alchemy_key', 'alcht_', ALNUM, 30, 30],
  ['xata_key', 'xau_', ALNUM, 38, 40],
  ['confluent_key', 'cflt', BLOB, 60, 60],
  // Words that say themselves what follows them, whoever issued it.
  ['issued_key', 'secret_ token_ tok_ apikey_ api_key_ access_token_ pat_ sk_ sk_dev_ key_', WORD, 24, 255],
]

/** The longest key that is looked at: beyond it a run is a blob. */
const CHARS_MAX = 4_096

export interface IssuerRule {
  readonly id: string
  readonly prefix: string
  readonly letters: number
  readonly charsMin: number
  readonly charsMax: number
  readonly isWeak: boolean
}

/** Prefixes that are words or parts of words elsewhere: what follows must be as random as a hash. */
const WEAK: ReadonlySet<string> = new Set(
  `live_ test_ EXO na1. eu1. base64: user: bpk- blt mik_ seam_ STS. ts_ lv_ PRD- SBX- mint_ ZXlK key key- re_ sk- s. b. r. secret_ token_ tok_ apikey_ api_key_ access_token_ pat_ sk_ sk_dev_ key_ 0/ 1/ 2/ sk
  pk_ ak_ cr_ pat pat- pat. sat. sc_ ext_ authress_ api- API- sdk- mob- YC SCW dapi dose dkea cio oy2 SK AC EAA EAAA fw_ pa-
  fc- ls__ rnd_ sl. mfa. t1.9 t1.7 p8- tk- v1.0- tfe- sess- 1000. waka_ pul- ico- snyk_ y0_ y1_ y2_ y3_ A3- A3T sm_pat_
  AKID cmVmd dG9rO 4b1d KEY0 sandbox_ nf- bt_ cu_ nx_ bit_ ion_ rad_ t-g1 u-g1 a-g1 act. clt. rft. ck_ cs_ cio_ exa_ hyp_ as- ak-
  st. secret- client- ser. hl_ inc_ wiz_ fa_ zt_ lok_ loops_ knock_ reddit_ viber_ turbo_ expo_ prod_ codacy_ contentful_ fastly_ sts_
  POSTMARK_ EXPO_ rpa_ rca_ QBox depot_ gto_ infura_ vultr_ koyeb_ censys_
  da2- DO00 DO80 codecov_ lip_ lio_ b_ BSA T_S_ L_S_ md- private_ sub-c- pub-c- api_ ES_ NF- u+ y+ w+ sky- hawk. bstack_ auth_ cflt`.split(
    /\s+/,
  ),
)

/** Rules of issuers, one a prefix, longest prefixes first. */
export const ISSUER_RULES: readonly IssuerRule[] = [
  CLOUDS,
  CODE_HOSTS,
  PAYMENTS,
  MESSAGES,
  MODELS,
  OPERATIONS,
]
  .flat()
  .flatMap(([id, prefixes, letters, charsMin, charsMax = CHARS_MAX]) =>
    prefixes
      .split(' ')
      .map((prefix) => ({ id, prefix, letters, charsMin, charsMax, isWeak: WEAK.has(prefix) })),
  )
  .toSorted((a, b) => b.prefix.length - a.prefix.length)
