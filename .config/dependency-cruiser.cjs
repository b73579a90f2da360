// The import rules of ARCHITECTURE.md, section 3. `boundaries.ts` runs them.

const { apiRules } = require('./api-import-rules.cjs')
const { api, generated, inNodeModules, refuse, testCode, tests } = require('./import-rule.cjs')

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

const typedText = '^packages/contracts/src/membership/typed-text\\.ts$'

const routes = '^packages/contracts/src/((membership|desk)/)?(endpoint|routes)\\.ts$'

const fieldRules = '^packages/contracts/src/membership/(field-rules|email-address)\\.ts$'

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
      pathNot: [...tests, '^packages/(bench|launcher|emulators|ops)/'],
    },
    { path: '^packages/(emulators|launcher|bench|ops)/' },
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
    'typed-text-knows-nothing',
    'The normalizing that browsers share is free of zod.',
    { path: typedText },
    {},
  ),
  refuse(
    'routes-are-free-of-zod',
    'Browsers load methods and paths without the schemas.',
    { path: routes },
    { dependencyTypesNot: ['type-only'] },
  ),
  refuse(
    'field-rules-are-free-of-zod',
    'What fields take is checked in the browser too, which loads no zod for it.',
    { path: fieldRules },
    { pathNot: [fieldRules, typedText, '^packages/contracts/src/limits\\.ts$'] },
  ),
  refuse(
    'client-knows-contract-types-only',
    'The browser client takes types, routes and normalizing from the contracts and has no other run-time dependency.',
    { path: '^packages/client/', pathNot: tests },
    { pathNot: ['^packages/client/', typedText, routes], dependencyTypesNot: ['type-only'] },
  ),
  refuse(
    'client-knows-contracts-only',
    'Of our packages, the browser client imports only the contracts.',
    { path: '^packages/client/', pathNot: tests },
    { path: '^(apps|packages|prisma)/', pathNot: '^packages/(client|contracts)/' },
  ),
  refuse(
    'widget-knows-client-only',
    'Of our packages, the widget imports only the client, and routes and normalizing from the contracts.',
    { path: '^packages/widget/', pathNot: tests },
    { path: '^(apps|packages|prisma)/', pathNot: ['^packages/(widget|client)/', typedText, routes] },
  ),
  refuse(
    'web-knows-widget-ui-client-contracts',
    'Of our packages, the web app imports only the widget, ui, the client and the contracts.',
    { path: '^apps/web/', pathNot: tests },
    { path: '^(apps|packages|prisma)/', pathNot: ['^apps/web/', '^packages/(widget|ui|client|contracts)/'] },
  ),
  refuse(
    'desk-knows-ui-paste-contracts',
    'Of our packages, the desk imports only ui, paste and the contracts.',
    { path: '^apps/desk/', pathNot: tests },
    { path: '^(apps|packages|prisma)/', pathNot: ['^apps/desk/', '^packages/(ui|paste|contracts)/'] },
  ),
  refuse(
    'ui-knows-contract-types-only',
    'What site and desk both show takes types from the contracts, and nothing else of ours.',
    { path: '^packages/ui/', pathNot: tests },
    { path: '^(apps|packages|prisma)/', pathNot: '^packages/ui/', dependencyTypesNot: ['type-only'] },
  ),
  refuse(
    'paste-knows-no-package',
    'Reading a clipboard needs no other package of this repository.',
    { path: '^packages/paste/', pathNot: tests },
    { path: '^(apps|packages|prisma)/', pathNot: '^packages/paste/' },
  ),
  refuse(
    'api-knows-contracts-and-paste',
    'Of our packages, the API imports only the contracts and paste.',
    { path: api, pathNot: tests },
    { path: '^(apps|packages|prisma)/', pathNot: ['^apps/api/', '^packages/(contracts|paste)/'] },
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
    { path: '^(apps/web|packages/(client|widget|contracts|paste))/src/', pathNot: tests },
    { dependencyTypes: ['core'] },
  ),
]

const stripe = '^packages/emulators/src/stripe/'

/** The folders of the Stripe emulator; each imports only those before it and itself. */
const stripeLayers = ['protocol', 'store', 'endpoints', 'resources', 'server|pages', 'admin']

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
  forbidden: [...everywhere, ...packages, ...apiRules, ...web, ...stripeEmulator],
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
