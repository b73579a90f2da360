// The import rules of ARCHITECTURE.md, section 3. `boundaries.ts` runs them.

const { featureLines } = require('./feature-lines.ts')

/** The role file of each integration. All other files in `integrations` belong to adapters. */
const roles = [
  'captcha/captcha-verifier',
  'identity/identity-provider',
  'mail/bounce-receiver',
  'mail/bulk-mailer',
  'mail/mailer',
  'mail/webhook-verifier',
  'payments/payment-gateway',
  'pdf/pdf-document',
  'pdf/pdf-renderer',
  'pictures/picture-encoder',
  'sms/sms-sender',
  'sms/sms-webhook-verifier',
  'storage/file-store',
  'storage/media-store',
]

/** The only place where each of these libraries may be imported. */
const vendorHomes = [
  ['nodemailer', '^apps/api/src/integrations/'],
  ['react-email', '^apps/api/src/features/(mail/layout|delivery/emails)/'],
  ['react', '^apps/api/src/features/(mail/layout|delivery/emails)/'],
  ['openid-client', '^apps/api/src/integrations/'],
  ['altcha-lib', '^apps/api/src/integrations/'],
  ['@myriaddreamin/[^/]+', '^apps/api/src/integrations/'],
  ['sharp', '^apps/(api/(src/integrations|seed)|web/bundling)/'],
  ['stripe', '^apps/api/src/integrations/'],
  ['twilio', '^apps/api/src/integrations/'],
  ['jose', '^apps/api/src/(platform|integrations)/'],
  ['argon2', '^apps/api/src/platform/'],
  ['pg-boss', '^apps/api/src/platform/'],
  ['pino', '^apps/api/src/platform/'],
  ['sanitize-html', '^apps/api/src/platform/'],
  ['libphonenumber-js', '^apps/api/src/platform/'],
]

const api = '^apps/api/src/'
const generated = '^apps/api/src/generated/'
const testCode = [
  '\\.test\\.tsx?$',
  '^apps/api/test/',
  '^apps/web/e2e/',
  '^apps/web/src/testing/',
  '^packages/client/src/testing/',
  '^packages/emulators/src/stripe/testing/',
]
const tests = [...testCode, '\\.config\\.ts$']
const roleFiles = `${api}integrations/(${roles.join('|')})\\.ts$`
const features = `${api}features/`
const processes = `${api}(main|worker|commands/[^/]+)\\.ts$`

/** @param {string} name @param {string} comment @param {object} from @param {object} to */
function refuse(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to }
}

/** @param {Record<string, string>} entered */
function reasonsOf(entered) {
  return Object.entries(entered)
    .map(([feature, reason]) => `\n  ${feature}: ${reason}`)
    .join('')
}

/** @param {string} library */
function inNodeModules(library) {
  return `node_modules/${library}/`
}

const everywhere = [
  refuse(
    'no-cycles',
    'Two files that import each other are one idea, or hide a third.',
    {},
    { circular: true },
  ),
  refuse(
    'nothing-unresolved',
    'The import does not resolve. Check its spelling and the dependencies in package.json.',
    // Only Prisma's command line reads this file, and it resolves its own package.
    { pathNot: '^\\.config/prisma\\.ts$' },
    { couldNotResolve: true },
  ),
  refuse(
    'declared-dependencies',
    "A library belongs in the importing package's own package.json.",
    {},
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
  refuse(
    'running-code-needs-no-tools',
    'What runs in production is a dependency, not a dev dependency.',
    { path: '^apps/[^/]+/src/', pathNot: tests },
    { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  ),
  refuse(
    'no-test-code-in-running-code',
    'Only tests import tests, fixtures and factories.',
    { path: '^(apps|packages|prisma)/', pathNot: tests },
    { path: testCode },
  ),
  refuse(
    'packages-by-name',
    'Another package is imported by its name, never by a path that climbs out of this one.',
    { path: '^((?:apps|packages)/[^/]+|prisma)/' },
    { pathNot: ['^$1/', 'node_modules'], dependencyTypes: ['local'] },
  ),
]

const packages = [
  refuse(
    'packages-know-no-app',
    'Apps import packages; no package imports an app.',
    { path: '^packages/' },
    { path: '^apps/' },
  ),
  refuse(
    'apps-know-no-other-app',
    'No app imports the other app.',
    { path: '^apps/([^/]+)/' },
    { path: '^apps/', pathNot: '^apps/$1/' },
  ),
  refuse(
    'emulators-stay-outside',
    'Emulators and the launcher are imported only by tests, bench, the database scripts and each other.',
    {
      path: '^(apps|packages)/',
      pathNot: [...tests, '^packages/(bench|launcher|emulators)/'],
    },
    { path: '^packages/(emulators|launcher|bench)/' },
  ),
  refuse(
    'emulators-stand-alone',
    'Emulators import no other package of this repository.',
    { path: '^packages/emulators/', pathNot: tests },
    { path: '^(apps|packages|prisma)/', pathNot: '^packages/emulators/' },
  ),
  refuse(
    'contracts-know-zod-only',
    'Contracts import zod and nothing else.',
    { path: '^packages/contracts/', pathNot: tests },
    { pathNot: ['^packages/contracts/', inNodeModules('zod')] },
  ),
  refuse(
    'client-knows-contract-types-only',
    'The browser client takes types from the contracts and has no run-time dependency.',
    { path: '^packages/client/', pathNot: tests },
    { pathNot: '^packages/client/', dependencyTypesNot: ['type-only'] },
  ),
  refuse(
    'client-knows-contracts-only',
    'Of our packages, the browser client imports only the contracts.',
    { path: '^packages/client/', pathNot: tests },
    { path: '^(apps|packages|prisma)/', pathNot: '^packages/(client|contracts)/' },
  ),
  refuse(
    'widget-knows-client-only',
    'Of our packages, the widget imports only the client.',
    { path: '^packages/widget/', pathNot: tests },
    { path: '^(apps|packages|prisma)/', pathNot: '^packages/(widget|client)/' },
  ),
  refuse(
    'web-knows-widget-client-contracts',
    'Of our packages, the web app imports only the widget, the client and the contracts.',
    { path: '^apps/web/', pathNot: tests },
    { path: '^(apps|packages|prisma)/', pathNot: ['^apps/web/', '^packages/(widget|client|contracts)/'] },
  ),
  refuse(
    'api-knows-contracts-only',
    'Of our packages, the API imports only the contracts.',
    { path: api, pathNot: tests },
    { path: '^(apps|packages|prisma)/', pathNot: ['^apps/api/', '^packages/contracts/'] },
  ),
]

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
    'Only context/adapters.ts imports adapters. Other files import the role.',
    { path: '^(apps|packages)/', pathNot: [...tests, `${api}context/adapters\\.ts$`, `${api}integrations/`] },
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

const web = [
  refuse(
    'web-features-apart',
    'Features of the web app never import each other; a route composes them.',
    { path: '^apps/web/src/features/([^/]+)/', pathNot: tests },
    { path: '^apps/web/src/features/', pathNot: '^apps/web/src/features/$1/' },
  ),
  refuse(
    'web-features-below-routes',
    'Features of the web app import only components and lib.',
    { path: '^apps/web/src/features/', pathNot: tests },
    { path: '^apps/web/src/', pathNot: '^apps/web/src/(features|components|lib|styles)/' },
  ),
  refuse(
    'web-components-and-lib-below',
    'Components import lib. Neither imports features, routes or the app.',
    { path: '^apps/web/src/(components|lib)/', pathNot: tests },
    { path: '^apps/web/src/', pathNot: '^apps/web/src/(components|lib|styles)/' },
  ),
  refuse(
    'web-lib-is-the-lowest-layer',
    'lib imports no component.',
    { path: '^apps/web/src/lib/', pathNot: tests },
    { path: '^apps/web/src/components/' },
  ),
  refuse(
    'web-runs-in-a-browser',
    'Browser code cannot import modules of Node.',
    { path: '^(apps/web|packages/(client|widget|contracts))/src/', pathNot: tests },
    { dependencyTypes: ['core'] },
  ),
]

const stripe = '^packages/emulators/src/stripe/'

/** The folders of the Stripe emulator; each imports only those before it and itself. */
const stripeLayers = ['protocol', 'store', 'resources', 'server|pages', 'admin']

const stripeEmulator = stripeLayers
  .slice(0, -1)
  .map((layer, index) =>
    refuse(
      `stripe-emulator-${layer.replace('|', '-')}`,
      `In the Stripe emulator imports point down: ${stripeLayers.join(' → ')}.`,
      { path: `${stripe}(${layer})/`, pathNot: tests },
      { path: [`${stripe}(${stripeLayers.slice(index + 1).join('|')})/`, `${stripe}stripe\\.ts$`] },
    ),
  )

module.exports = {
  forbidden: [...everywhere, ...packages, ...apiLayers, ...featureDoors, ...web, ...stripeEmulator],
  options: {
    doNotFollow: { path: ['node_modules', generated] },
    exclude: { path: ['^(apps|packages)/[^/]+/dist/', '(^|/)\\.(data|cache|turbo|reports)/'] },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    parser: 'tsc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default', 'require'],
      mainFields: ['module', 'main', 'types', 'typings'],
      extensions: ['.ts', '.tsx', '.d.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '.css'],
    },
  },
}
