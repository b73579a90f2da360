// The import rules within the API: its layers, adapters, vendor libraries and features.

const { featureLines } = require('./feature-lines.ts')
const { api, generated, inNodeModules, refuse, tests } = require('./import-rule.cjs')

/** The role file of each integration. All other files in `integrations` belong to adapters. */
const roles = [
  'captcha/captcha-verifier',
  'dns/dns-lookup',
  'identity/identity-provider',
  'links/link-checker',
  'mail/bounce-receiver',
  'mail/bulk-mailer',
  'mail/mail-server',
  'mail/mailer',
  'mail/reports/mail-report',
  'mail/webhook-verifier',
  'passkeys/passkey-verifier',
  'payments/account-inspection',
  'payments/gateway-errors',
  'payments/payment-gateway',
  'pdf/pdf-document',
  'pdf/pdf-renderer',
  'pictures/picture-encoder',
  'push/push-sender',
  'sms/sms-sender',
  'sms/sms-webhook-verifier',
  'storage/file-store',
  'storage/media-store',
  'storage/upload-spool',
  'storage/variant-keys',
]

/** The only place where each of these libraries may be imported. */
const vendorHomes = [
  ['nodemailer', '^apps/api/src/integrations/'],
  ['react-email', '^apps/api/src/features/(mail/layout|delivery/content/email)/'],
  ['react', '^apps/api/src/features/(mail/layout|delivery/content/email)/'],
  ['openid-client', '^apps/api/src/integrations/'],
  ['altcha-lib', '^apps/api/src/integrations/'],
  ['@myriaddreamin/[^/]+', '^apps/api/src/integrations/'],
  ['sharp', '^apps/(api/(src/integrations|seed)|web/bundling)/'],
  ['stripe', '^apps/api/src/integrations/'],
  ['twilio', '^apps/api/src/integrations/'],
  ['web-push', '^apps/api/src/integrations/'],
  ['@simplewebauthn/[^/]+', '^apps/api/src/integrations/'],
  ['jose', '^apps/api/src/(platform|integrations)/'],
  ['argon2', '^apps/api/src/platform/'],
  ['pg-boss', '^apps/api/src/platform/'],
  ['pino', '^apps/api/src/platform/'],
  ['sanitize-html', '^apps/api/src/platform/'],
  ['libphonenumber-js', '^apps/api/src/platform/'],
]

const roleFiles = `${api}integrations/(${roles.join('|')})\\.ts$`
const features = `${api}features/`
const processes = `${api}(main|worker|commands/[^/]+)\\.ts$`

/** @param {Record<string, string>} entered */
function reasonsOf(entered) {
  return Object.entries(entered)
    .map(([feature, reason]) => `\n  ${feature}: ${reason}`)
    .join('')
}

const apiLayers = [
  refuse(
    'processes-are-the-top',
    'Nothing imports main, worker or a command, except a command its own parts.',
    { path: '^(apps|packages|prisma)/', pathNot: [...tests, `${api}commands/`] },
    { path: processes },
  ),
  refuse(
    'seeds-are-a-program',
    'Only the seeds import the seeds.',
    { path: '^(apps|packages|prisma)/', pathNot: '^apps/api/seed/' },
    { path: '^apps/api/seed/' },
  ),
  refuse(
    'app-and-context-stay-above',
    'Features, http, integrations, platform and config do not import app, context or other top-level files.',
    { path: `${api}(features|http|integrations|platform|config)/`, pathNot: tests },
    { path: [`${api}[^/]+\\.ts$`, `${api}context/`] },
  ),
  refuse(
    'features-stay-above',
    'http, integrations, platform and config do not import features.',
    { path: `${api}(http|integrations|platform|config)/`, pathNot: tests },
    { path: features },
  ),
  refuse(
    'platform-is-the-lowest-layer',
    'Platform imports only itself, the types of config and the generated client.',
    { path: `${api}platform/`, pathNot: tests },
    { path: api, pathNot: [`${api}platform/`, generated, `${api}config/`] },
  ),
  refuse(
    'http-and-integrations-apart',
    'http and integrations do not import each other.',
    { path: `${api}(http|integrations)/`, pathNot: tests },
    { path: `${api}(http|integrations)/`, pathNot: `${api}$1/` },
  ),
  refuse(
    'integrations-apart',
    'An integration imports only the role files of the others.',
    { path: `${api}integrations/([^/]+)/`, pathNot: tests },
    { path: `${api}integrations/`, pathNot: [`${api}integrations/$1/`, roleFiles] },
  ),
  refuse(
    'config-is-passed-in',
    'Below the context only the types of the configuration are imported. Its values are passed in.',
    { path: `${api}(features|http|integrations|platform)/`, pathNot: tests },
    { path: `${api}config/`, dependencyTypesNot: ['type-only'] },
  ),
  refuse(
    'environment-is-read-once',
    'Only a process, and the configuration itself, reads the environment.',
    { path: api, pathNot: [...tests, processes, `${api}config/`] },
    { path: `${api}config/env\\.ts$` },
  ),
  refuse(
    'adapters-from-context-only',
    'Only context/adapters.ts and context/stores.ts import adapters. Other files import the role.',
    {
      path: '^(apps|packages)/',
      pathNot: [...tests, `${api}context/(adapters|stores)\\.ts$`, `${api}integrations/`],
    },
    { path: `${api}integrations/`, pathNot: roleFiles },
  ),
  refuse(
    'roles-know-no-adapter',
    'A role file is an interface in our own terms. It imports no adapter and no library.',
    { path: roleFiles },
    { path: [`${api}integrations/`, 'node_modules'], pathNot: roleFiles },
  ),
  refuse(
    'prisma-in-repositories-only',
    "A feature's only Prisma is in its repositories.",
    { path: features, pathNot: [...tests, '[./]repository\\.ts$'] },
    { path: [generated, 'node_modules/@prisma/', inNodeModules('pg')] },
  ),
  refuse(
    'generated-client-below-only',
    'Only platform and features import the generated client.',
    { path: '^(apps|packages)/', pathNot: [...tests, features, `${api}platform/`, generated] },
    { path: generated },
  ),
  ...vendorHomes.map(([library, home]) =>
    refuse(
      `vendor-${library.replace(/[^a-z-]/g, '')}`,
      'Only the file or folder that wraps a vendor library imports it.',
      { path: '^(apps/api|prisma)/', pathNot: [...tests, home] },
      { path: inNodeModules(library) },
    ),
  ),
]

const featureDoors = [
  refuse(
    'features-through-the-door',
    "Another feature's index.ts is the only file of it that may be imported.",
    { path: `${features}([^/]+)/` },
    { path: features, pathNot: [`${features}$1/`, `${features}[^/]+/index\\.ts$`] },
  ),
  refuse(
    'doors-export-their-own',
    "A feature's index.ts exports only from its own folder.",
    { path: `${features}([^/]+)/index\\.ts$` },
    { pathNot: `${features}$1/` },
  ),
  ...Object.entries(featureLines).map(([feature, entered]) =>
    refuse(
      `feature-lines-${feature}`,
      `Of the other features, ${feature} imports only these. Everything else goes through a job.${reasonsOf(entered)}`,
      { path: `${features}${feature}/`, pathNot: tests },
      { path: features, pathNot: `${features}(${[feature, ...Object.keys(entered)].join('|')})/` },
    ),
  ),
  refuse(
    'feature-lines-others',
    'This feature imports no other feature. Everything goes through a job.',
    {
      path: `${features}([^/]+)/`,
      pathNot: [...tests, `${features}(${Object.keys(featureLines).join('|')})/`],
    },
    { path: features, pathNot: `${features}$1/` },
  ),
]

module.exports = { apiRules: [...apiLayers, ...featureDoors] }
