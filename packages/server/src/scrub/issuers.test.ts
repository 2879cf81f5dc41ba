/** Each issuer by itself: what most of them have in common says nothing of one whose row is gone. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { FILTERED } from './filtered.ts'
import { scrubIssued } from './issued.ts'
import { ISSUER_RULES, type IssuerRule, LETTER_BITS } from './issuers.ts'

describe('keys by how their issuers write them', () => {
  it('are known of each issuer, by each of its prefixes', () => {
    const known = new Map<string, string[]>()
    for (const { id, prefix } of ISSUER_RULES) known.set(id, [...(known.get(id) ?? []), prefix])
    const said = [...known].map(([id, prefixes]) => `${id}: ${prefixes.sort().join(' ')}`)
    const listed = KNOWN.trim().split(/\n\s*/)
    // Whoever adds a rule adds its line below; whoever removes one says so there as well.
    assert.deepEqual(said.sort(), listed.toSorted())
  })

  for (const rule of ISSUER_RULES)
    it(`are taken out: ${rule.id} behind ${rule.prefix}`, () => {
      for (const seed of [1, 2, 3]) {
        const key = aKey(rule, seed)
        const by: string[] = []
        assert.equal(
          scrubIssued(`token ${key} was refused`, (id) => by.push(id)),
          `token ${FILTERED} was refused`,
          key,
        )
        assert.equal(by.length, 1)
      }
    })

  it('are taken out of the shortest length to the longest, where nothing else knows them', () => {
    const rule = ISSUER_RULES.find(({ prefix }) => prefix === 'ajkey_')
    assert.ok(rule)
    const isFound = (chars: number) => scrubIssued(`a ${aKey(rule, 1, chars)} b`, () => {}).includes(FILTERED)
    assert.deepEqual([rule.charsMin - 1, rule.charsMin, rule.charsMin + 1].map(isFound), [false, true, true])
  })
})

const USUAL_CHARS = 40

/** Builds a key of the rule's letters, every fourth a digit, by chance that is the same in every run. */
function aKey({ prefix, letters, charsMin, charsMax }: IssuerRule, seed: number, chars?: number): string {
  const alphabet = [...LETTER_BITS.keys()].filter((code) => ((LETTER_BITS[code] ?? 0) & letters) !== 0)
  const all = alphabet.map((code) => String.fromCharCode(code)).filter((letter) => /[a-zA-Z0-9]/.test(letter))
  const length = chars ?? Math.min(charsMax, Math.max(charsMin, USUAL_CHARS))
  let body = ''
  for (let block = 0; body.length < length; block++)
    for (const byte of createHash('sha256').update(`${prefix} ${seed} ${block}`).digest())
      body += (body.length % 4 === 3 ? String(byte % 10) : all[byte % all.length]) ?? ''
  return prefix + body.slice(0, length)
}

/** Each id with its prefixes. */
const KNOWN = `
  adafruit_key: aio_
  adobe_secret: p8- p8e-
  adyen_key: AQE
  age_key: AGE-PLUGIN- AGE-PLUGIN-YUBIKEY- AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1
  ai71_key: ai71-api-
  aikido_secret: AIK_CI_ AIK_CLIENT_ AIK_SECRET_
  airtable_key: key
  airtable_token: pat
  aiven_password: AVNS_
  akamai_token: akab-
  alchemy_key: alcht_
  alibaba_key: LTAI STS.
  amazon_token: amzn.mws. amzn1.application-oa2-client. amzn1.oa2-cs.v1.
  anthropic_key: sk-ant-
  apify_key: apify_api_
  appsweep_key: gs_appsweep_
  arcjet_key: ajkey_
  artifactory_key: AKCp cmVmd
  asaas_key: aact_hmlg_ aact_prod_
  asana_token: 0/ 1/ 2/
  atlassian_token: ATATT3 ATCTT3 ATOA
  authress_key: authress_ ext_ sc_ scauth_
  aws_appsync_key: da2-
  aws_bedrock_key: ABSK bedrock-api-key-
  aws_key: A3T ABIA ACCA AGPA AIDA AIPA AKIA ANPA ANVA APKA AROA ASCA ASIA
  axiom_token: xaat- xapt-
  azure_devops_token: AZDO
  backblaze_key: K000 K001 K002 K003 K004 K005
  baidu_key: ALTAK- bce-v3/ALTAK-
  baseten_key: bt_
  beamer_key: b_
  betterstack_token: bs_tel_
  bigcommerce_token: bcom_
  bitbucket_token: ATBB BBDC-
  bitrise_token: bit_
  blockprotocol_key: b10ck5.
  brave_key: BSA
  brevo_key: xkeysib- xsmtpsib-
  browserbase_key: bb_live_ bb_test_
  browserstack_key: bstack_
  bugsnag_key: bsk_
  builder_key: bpk-
  buildkite_token: bkaj_ bkat_ bkcq_ bkct_ bkpat_ bkpi_ bkpt_ bkua_
  censys_key: censys_
  cerebras_key: csk-
  chargebee_key: cb_live_ cb_test_
  checkly_key: cu_
  checkout_key: sk_sbox_
  chromatic_token: chpt_
  circleci_token: CCIPAT_ CCIPRJ_
  clickhouse_key: 4b1d
  clickup_token: pk_
  clojars_token: CLOJARS_ clojars_
  close_key: api_
  cloudflare_key: v1.0-
  cloudsmith_key: csm_
  cockroach_key: CCDB1_
  codacy_token: codacy_
  codeberg_token: cbt_
  codecov_token: codecov_
  coderabbit_key: cr-
  composio_key: ak_ ck_
  configcat_key: configcat-sdk-
  confluent_key: cflt
  contentful_token: CFPAT- contentful_
  contentstack_key: blt
  courier_key: dk_prod_ pk_prod_ pk_test_
  crates_token: cio
  cursor_key: crsr_ key_
  customerio_key: cio_
  dash0_token: auth_
  databricks_token: dapi dkea dose
  datadog_key: DDRCM_
  deepseek_key: sk-
  defined_key: dnkey-
  deno_token: ddo_ ddp_ ddw_
  depot_token: depot_ depot_org_ depot_project_
  devcycle_key: dvc_server_
  digitalocean_key: DO00 DO80
  digitalocean_token: doo_v1_ dop_v1_ dor_v1_
  discord_token: mfa.
  docker_token: SWMKEY-1- SWMTKN-1- dckr_oat_ dckr_org_ dckr_pat_
  doppler_token: dp.audit. dp.ct. dp.pt. dp.sa. dp.said. dp.scim. dp.st.
  dropbox_token: sl.
  dub_key: dub_
  duffel_token: duffel_live_ duffel_test_
  dynatrace_token: dt0a01. dt0c01. dt0s01. dt0s02. dt0s03. dt0s08. dt0s16.
  easypost_key: EZAK EZTK
  ebay_secret: PRD- SBX-
  elevenlabs_key: sk_
  endor_key: endr+
  exa_key: exa_
  exoscale_key: EXO
  expo_token: EXPO_ expo_
  facebook_token: EAA EAACEdEose0cBA
  fastly_token: fastly_
  fauna_key: fnAA fnAB fnAC fnAD fnAE fnAF fnAG
  figma_token: figd_ figdr_ figh_ figoR_ figo_ figoh_ figor_ figr_ figu_
  firecrawl_key: fc-
  fireworks_key: fw_
  flagsmith_key: ser.
  fleetbase_key: flb_live_ flb_test_
  flutterwave_key: FLWSECK- FLWSECK_ FLWSECK_TEST-
  fly_token: FlyV1 fm1a_ fm1r_ fm2_ fo1_
  frameio_token: fio-u-
  friendli_key: flp_
  fullstory_key: eu1. na1.
  fusionauth_key: fa_
  gitea_token: fgj_ gta_ gto_
  github_token: gho_ ghp_ ghr_ ghs_ ghu_ github_pat_
  gitlab_token: GR1348941 glagent- glcbt- gldt- glffct- glft- glimt- gloas- glpat- glpt- glptt- glrt- glrtb- glrtr- glsoat- glwt-
  google_client_secret: GOCSPX-
  google_code: 4/0A
  google_hmac_key: GOOG1 GOOG1E
  google_key: AIza AQ.Ab8
  google_refresh_token: 1//0
  google_token: ya29. ya29.a0
  grafana_token: glc_ glsa_
  groq_key: gsk_
  harness_token: pat. sat.
  hcaptcha_secret: ES_
  heroku_key: HRKU-
  hetzner_token: hcloud_
  highlight_key: hl_
  honeycomb_key: hcaic_ hcaik_ hcalk_ hcamk_ hcxic_ hcxik_ hcxmk_
  hubspot_token: pat- pat-ap1- pat-eu1- pat-na1- pat-na2-
  huggingface_token: api_org_ hf_
  hyperbolic_key: hyp_
  ibm_key: ApiKey-
  imagekit_key: private_
  incident_key: inc_
  infisical_token: st.
  infracost_token: ico-
  infura_key: infura_
  inngest_key: signkey-branch- signkey-prod- signkey-test-
  instagram_token: IGAA IGQV
  intercom_token: dG9rO
  intra42_secret: s-s4t2af- s-s4t2ud-
  ionic_token: ion_
  issued_key: access_token_ api_key_ apikey_ key_ pat_ secret_ sk_ sk_dev_ tok_ token_
  iterative_token: isat_
  jetbrains_token: perm- perm:
  jina_key: jina_
  jwt: ZXlK
  kagi_key: kagi_
  klaviyo_key: pk_
  knock_key: knock_
  koyeb_token: koyeb_
  langfuse_key: pk-lf- sk-lf-
  langsmith_key: ls__ lsv2_pt_ lsv2_sk_
  laravel_key: base64:
  lark_token: a-g1 t-g1 u-g1
  launchdarkly_key: api- mob- sdk-
  lemonsqueezy_key: lsq_
  letta_key: sk-let-
  lichess_token: lio_ lip_
  lightspark_key: lsxs_at_ lsxs_pt_
  linear_key: lin_api_ lin_oauth_ lin_wh_
  linkedin_secret: WPL_AP0. WPL_AP1.
  live_key: live_ sandbox_ test_
  logdna_key: sts_
  logfire_token: pylf_v1_eu_ pylf_v1_us_ pylf_v2_eu_ pylf_v2_us_
  lokalise_token: lok_
  loops_key: loops_
  mailersend_key: mlsn.
  mailgun_key: key- pubkey-
  mandrill_key: md-
  mappedin_key: mik_
  matrix_token: syr_ syt_
  mercadopago_token: APP_USR-
  mercury_token: secret-token: secret-token:mercury_production_ secret-token:mercury_sandbox_
  mergify_key: mka_
  midtrans_key: Mid-server- SB-Mid-server-
  mintlify_key: mint_ mint_dsc_
  modal_token: ak- as-
  moneywave_key: lv_ ts_
  mongodb_atlas_secret: mdb_sa_sk_
  neon_key: napi_
  neon_password: npg_
  netbird_token: nbp_ nbs_
  netlify_token: nfb_ nfc_ nfo_ nfp_ nfu_
  newrelic_key: NRAA- NRAK- NRBR- NRII- NRIQ- NRJS- NRRA-
  ngrok_key: ak_ cr_
  nightfall_key: NF-
  northflank_token: nf-
  notion_token: ntn_
  npm_token: npm_
  nuget_key: oy2
  nvidia_key: nvapi-
  nx_token: nx_
  nylas_key: nyk_
  octopus_key: API-
  onepassword_key: 1PRK- A3- ops_eyJ
  onesignal_key: os_v2_app_ os_v2_org_
  onfido_token: api_live. api_live_ca. api_live_us. api_sandbox.
  openai_key: sess- sk- sk-None- sk-admin- sk-proj- sk-svcacct-
  openobserve_key: o2oi_
  openrouter_key: sk-or- sk-or-v1-
  openshift_token: sha256~
  openvsx_token: ovsxat_ ovsxp_
  oracle_token: ocid1.credential.
  ory_token: ory_ac_ ory_at_ ory_lo_ ory_pat_ ory_rt_ ory_st_
  packagist_token: packagist_ack_ packagist_acs_ packagist_cut_ packagist_ort_ packagist_out_ packagist_uut_
  paddle_key: pdl_live_apikey_ pdl_ntfset_ pdl_sdbx_apikey_
  pagerduty_token: pdeu+ pdus+ u+ w+ y+
  pagertree_key: ptr_
  pangea_token: pts_
  paypal_token: access_token$production$ access_token$sandbox$
  perplexity_key: pplx-
  persona_key: persona_production_ persona_sandbox_
  pinecone_key: pcsk_
  pinterest_token: pina_ pinr_
  plaid_token: access-development- access-production- access-sandbox- asset-report-production- link-development- link-production- link-sandbox- processor-production- public-production- public-sandbox-
  planetscale_token: pscale_oauth_ pscale_pw_ pscale_tkn_
  polar_token: polar_at_ polar_oat_ polar_pat_ polar_rst_
  posthog_key: phs_ phx_
  postman_key: PMAK- PMAT-
  postmark_token: POSTMARK_
  prefect_token: pnb_ pnu_
  private_key: LS0tLS1CRUdJTiBEU0E LS0tLS1CRUdJTiBFQyB LS0tLS1CRUdJTiBFTkN LS0tLS1CRUdJTiBPUEV LS0tLS1CRUdJTiBQR1A LS0tLS1CRUdJTiBQUkl LS0tLS1CRUdJTiBSU0Eg
  pubnub_key: pub-c- sec-c- sub-c-
  pulumi_token: pul-
  pypi_token: pypi-
  pyx_key: sk-pyx-
  qiniu_key: QBox
  radicle_key: rad_
  railway_token: rlwy_ rlwy_oaci_
  raycast_token: rca_
  razorpay_key: rzp_live_ rzp_test_
  readme_token: rdme_
  reddit_token: reddit_
  render_key: rnd_
  replicate_token: r8_
  resend_key: re_
  retool_token: retool_
  robinhood_key: rh-api-
  rootly_key: rootly_
  rubygems_key: rubygems_
  runpod_key: rpa_
  samsara_token: samsara_api_
  sanity_token: sk
  scaleway_key: SCW
  scalingo_token: tk- tk-eu- tk-us-
  seam_key: seam_
  secret_key: sk-
  semgrep_token: sgcli_
  sendgrid_key: SG.
  sentry_token: sntrya_ sntryi_ sntrys_ sntryu_
  settlemint_token: sm_aat_ sm_pat_ sm_sat_
  shippo_token: shippo_live_ shippo_test_
  shopify_token: atkn_ prtapi_ shpat_ shpca_ shpit_ shpltk_ shppa_ shprt_ shpss_ shptka_ shpua_
  skyflow_key: sky-
  slack_token: xapp- xoxa- xoxb- xoxc- xoxd- xoxe- xoxe.xoxb- xoxe.xoxp- xoxo- xoxp- xoxr- xoxs- xwfp-
  snyk_token: snyk_ snyk_sat. snyk_uat.
  sonar_token: sqa_ sqp_ squ_
  sourcegraph_token: sgd_ sgp_ sgph_ slk_
  square_token: EAAA sq0asp- sq0atp- sq0csp- sq0idp-
  stackhawk_key: hawk.
  statsig_key: client- secret-
  stripe_key: rk_live_ rk_prod_ rk_test_ sk_live_ sk_org_live_ sk_org_test_ sk_prod_ sk_test_
  stytch_secret: secret-live- secret-test-
  supabase_key: sb_secret_ sbp_ sbp_oauth_
  tailscale_key: tskey-
  tavily_key: tvly-
  teleport_token: tele_
  telnyx_key: KEY0
  tencent_key: AKID
  terraform_key: tfe-
  testkube_key: tkcapi_
  thunderstore_token: tss_
  tiktok_token: act. clt. rft.
  together_key: tgp_v1_
  tolgee_key: tgpak_ tgpat_
  trello_token: ATTA
  trigger_key: tr_dev_ tr_prod_ tr_stg_
  turbo_token: turbo_
  twilio_key: AC SK
  twitter_token: AAAAAAAAAAAAAAAAAAAAA
  typeform_token: tfp_
  ubidots_token: BBFF-
  unkey_key: unkey_
  unleash_token: user:
  upcloud_token: ucat_
  upstash_key: qstash_ upk_
  valtown_token: vtwn_
  vault_token: b. hvb. hvr. hvs. r. s.
  vercel_token: vca_ vci_ vck_ vcp_ vcr_ vercel_blob_rw_
  viber_token: viber_
  volcano_key: AKLT
  voyage_key: pa-
  vultr_key: vultr_
  wakatime_key: waka_
  wallet_key: nsec1 tprv xprv yprv zprv
  wandb_key: wandb_v1_
  weaviate_key: wvt_
  webhook_secret: v1,whsec_ whsec_
  wiz_key: wiz_
  woocommerce_key: ck_ cs_
  worldpay_key: L_S_ T_S_
  xai_key: xai-
  xata_key: xau_
  xendit_key: xnd_development_ xnd_production_
  yandex_key: AQVN YC YCAJE y0_ y1_ y2_ y3_
  yandex_token: t1.7 t1.9
  zerotier_token: zt_
  zoho_token: 1000.
  zoom_token: zak_ zpk_
  zuplo_key: zpka_
`
