// Checks who imports whom: `node .config/boundaries.ts`. Exits 1 when a rule is broken or too little was read.
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'

// NOTE: with a TypeScript it cannot read, dependency-cruiser passes over every source and reports success.
const fewestModules = 60
const folders = ['apps', 'packages', 'prisma', '.config']

process.chdir(new URL('..', import.meta.url).pathname)

const { options, ...ruleSet } = await extractDepcruiseConfig('./.config/dependency-cruiser.cjs')
const reasons = new Map((ruleSet.forbidden ?? []).map((rule) => [rule.name, rule.comment ?? '']))
const { output } = await cruise(folders, { ...options, ruleSet, validate: true })

if (typeof output === 'string')
  throw new Error('dependency-cruiser answered text where a result was asked for.')
process.exitCode = report(output)

/** Prints the findings, grouped by rule, and answers the exit code: 0 when all is well. */
function report({ modules, summary }: ICruiseResult): number {
  const ours = modules.filter(({ source, coreModule }) => !coreModule && !source.includes('node_modules/'))
  const imports = ours.reduce((sum, { dependencies }) => sum + dependencies.length, 0)
  const byRule = Map.groupBy(summary.violations, ({ rule }) => rule.name)

  for (const [rule, violations] of byRule) {
    console.error(`${rule}: ${reasons.get(rule) ?? ''}`)
    for (const { from, to, cycle } of violations) {
      console.error(`  ${[from, ...(cycle?.map(({ name }) => name) ?? [to])].join(' → ')}`)
    }
    console.error('')
  }
  if (summary.violations.length > 0) {
    console.error(`${summary.violations.length} imports cross a boundary (${ours.length} modules read).`)
    return 1
  }
  if (ours.length < fewestModules || imports < fewestModules) {
    console.error(
      `Only ${ours.length} modules with ${imports} imports were read, where at least ${fewestModules} are expected: the check saw too little to mean anything. Is TypeScript a version that dependency-cruiser can read?`,
    )
    return 1
  }
  console.log(`No boundary is crossed: ${ours.length} modules, ${imports} imports.`)
  return 0
}
