// Who may import whom (ARCHITECTURE.md, section 3), as rules. `boundaries.ts` runs them.

const { featureLines } = require('./feature-lines.ts')

/** The role file of each integration. Every other file in `integrations` is an adapter or belongs to one. */
const roles = [
  'captcha/captcha-verifier',
  'identity/identity-provider',
  'mail/mailer',
  'payments/payment-gateway',
  'pictures/picture-encoder',
  'storage/media-store',
]

/** The one place, besides an adapter, where each of these libraries may be imported. */
const vendorHomes = [
  ['nodemailer', '^apps/api/src/integrations/'],
  ['react-email', '^apps/api/src/features/mail/layout/'],
  ['react', '^apps/api/src/features/mail/layout/'],
  ['openid-client', '^apps/api/src/integrations/'],
  ['altcha-lib', '^apps/api/src/integrations/'],
  ['@myriaddreamin/[^/]+', '^apps/api/src/integrations/'],
  ['sharp', '^apps/api/(src/integrations|seed)/'],
  ['stripe', '^apps/api/src/integrations/'],
  ['jose', '^apps/api/src/(platform|integrations)/'],
  ['argon2', '^apps/api/src/platform/'],
  ['pg-boss', '^apps/api/src/platform/'],
  ['pino', '^apps/api/src/platform/'],
  ['sanitize-html', '^apps/api/src/platform/'],
  ['libphonenumber-js', '^apps/api/src/(platform|features/[^/]+)/'],
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
    'Two files that need each other are one idea, or hide a third.',
    {},
    { circular: true },
  ),
  refuse(
    'nothing-unresolved',
    'An import leads nowhere: a typing slip, or a dependency missing from package.json.',
    // Prisma's command line reads its own settings file and resolves its own name for it.
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
    'stand-ins-stay-outside',
    'Emulators and the launcher are imported only by tests, bench, the database scripts and each other.',
    {
      path: '^(apps|packages)/',
      pathNot: [...tests, '^packages/(bench|launcher|emulators)/'],
    },
    { path: '^packages/(emulators|launcher|bench)/' },
  ),
  refuse(
    'emulators-stand-alone',
    'Emulators import nothing of ours.',
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
    'Of ours, the browser client knows the contracts alone.',
    { path: '^packages/client/', pathNot: tests },
    { path: '^(apps|packages|prisma)/', pathNot: '^packages/(client|contracts)/' },
  ),
  refuse(
    'widget-knows-client-only',
    'Of ours, the widget knows the client alone.',
    { path: '^packages/widget/', pathNot: tests },
    { path: '^(apps|packages|prisma)/', pathNot: '^packages/(widget|client)/' },
  ),
  refuse(
    'web-knows-widget-client-contracts',
    'Of ours, the web app knows the widget, the client and the contracts.',
    { path: '^apps/web/', pathNot: tests },
    { path: '^(apps|packages|prisma)/', pathNot: ['^apps/web/', '^packages/(widget|client|contracts)/'] },
  ),
  refuse(
    'api-knows-contracts-only',
    'Of ours, the API knows the contracts alone.',
    { path: api, pathNot: tests },
    { path: '^(apps|packages|prisma)/', pathNot: ['^apps/api/', '^packages/contracts/'] },
  ),
]

const apiLayers = [
  refuse(
    'processes-are-the-top',
    'Nothing imports a process: main, worker and commands are where imports begin.',
    { path: '^(apps|packages|prisma)/', pathNot: tests },
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
    'Features, http, integrations, platform and config do not know what is built from them.',
    { path: `${api}(features|http|integrations|platform|config)/`, pathNot: tests },
    { path: [`${api}[^/]+\\.ts$`, `${api}context/`] },
  ),
  refuse(
    'features-stay-above',
    'http, integrations, platform and config do not know the features.',
    { path: `${api}(http|integrations|platform|config)/`, pathNot: tests },
    { path: features },
  ),
  refuse(
    'platform-is-the-ground',
    'Platform stands on nothing of the API but itself and the generated client.',
    { path: `${api}platform/`, pathNot: tests },
    { path: api, pathNot: [`${api}platform/`, generated, `${api}config/`] },
  ),
  refuse(
    'http-and-integrations-apart',
    'http and integrations stand side by side: neither imports the other.',
    { path: `${api}(http|integrations)/`, pathNot: tests },
    { path: `${api}(http|integrations)/`, pathNot: `${api}$1/` },
  ),
  refuse(
    'integrations-apart',
    'Each integration fills one role; of the others it knows the role files alone.',
    { path: `${api}integrations/([^/]+)/`, pathNot: tests },
    { path: `${api}integrations/`, pathNot: [`${api}integrations/$1/`, roleFiles] },
  ),
  refuse(
    'config-is-handed-in',
    'Below the context only the types of the configuration are known; its values are handed in.',
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
    'An adapter is chosen in context/adapters.ts; everyone else knows its role.',
    { path: '^(apps|packages)/', pathNot: [...tests, `${api}context/adapters\\.ts$`, `${api}integrations/`] },
    { path: `${api}integrations/`, pathNot: roleFiles },
  ),
  refuse(
    'roles-know-no-adapter',
    'A role is an interface in our words: it imports no adapter and no library.',
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
    'The generated client is known to platform and to repositories, nowhere else.',
    { path: '^(apps|packages)/', pathNot: [...tests, features, `${api}platform/`, generated] },
    { path: generated },
  ),
  ...vendorHomes.map(([library, home]) =>
    refuse(
      `vendor-${library.replace(/[^a-z-]/g, '')}`,
      'A vendor library is known to the one place that wraps it.',
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
    'doors-hand-out-their-own',
    "A feature's index.ts hands out what lies in its own folder, never what is another feature's.",
    { path: `${features}([^/]+)/index\\.ts$` },
    { pathNot: `${features}$1/` },
  ),
  ...Object.entries(featureLines).map(([feature, entered]) =>
    refuse(
      `feature-lines-${feature}`,
      `Of the other features, ${feature} enters these alone; the rest travels as a job.${reasonsOf(entered)}`,
      { path: `${features}${feature}/`, pathNot: tests },
      { path: features, pathNot: `${features}(${[feature, ...Object.keys(entered)].join('|')})/` },
    ),
  ),
  refuse(
    'feature-lines-others',
    'This feature enters no other; what it has to tell travels as a job.',
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
    'Features of the web app stand on components and lib.',
    { path: '^apps/web/src/features/', pathNot: tests },
    { path: '^apps/web/src/', pathNot: '^apps/web/src/(features|components|lib|styles)/' },
  ),
  refuse(
    'web-components-and-lib-below',
    'Components stand on lib; neither knows features, routes or the app.',
    { path: '^apps/web/src/(components|lib)/', pathNot: tests },
    { path: '^apps/web/src/', pathNot: '^apps/web/src/(components|lib|styles)/' },
  ),
  refuse(
    'web-lib-is-the-ground',
    'lib knows no component.',
    { path: '^apps/web/src/lib/', pathNot: tests },
    { path: '^apps/web/src/components/' },
  ),
  refuse(
    'web-runs-in-a-browser',
    'Nothing of Node is there in a browser.',
    { path: '^(apps/web|packages/(client|widget|contracts))/src/', pathNot: tests },
    { dependencyTypes: ['core'] },
  ),
]

module.exports = {
  forbidden: [...everywhere, ...packages, ...apiLayers, ...featureDoors, ...web],
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
