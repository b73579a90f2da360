// Checks the import rules, circles of folders, and the size of functions, files and folders: `node .config/boundaries.ts`.
// Exits with 1 when a rule is violated or too few modules were read.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'
import ts from 'typescript'
import { checkCallbacks, findCallbacks, readProgram } from './context-callbacks.ts'
import { featureLines } from './feature-lines.ts'
import { checkFolderCircles } from './folder-circles.ts'
import { checkFunctionLengths, findLongFunctions } from './function-length.ts'

// The minimum number of modules with imports in each folder.
// NOTE: with an unsupported TypeScript, dependency-cruiser skips every source and reports success.
const minModules = {
  'apps/api': 300,
  'apps/desk': 10,
  'apps/web': 90,
  packages: 200,
  prisma: 6,
  '.config': 1,
}

const maxLines = 300
// Tests do not count.
const maxFilesOfFolder = 20

process.chdir(new URL('..', import.meta.url).pathname)

const apiSources = resolve('apps/api/src')

const { options, ...ruleSet } = await extractDepcruiseConfig('./.config/dependency-cruiser.cjs')
const reasons = new Map((ruleSet.forbidden ?? []).map((rule) => [rule.name, rule.comment ?? '']))
const { output } = await cruise(Object.keys(minModules), { ...options, ruleSet, validate: true })

if (typeof output === 'string') throw new Error('dependency-cruiser returned text instead of a result.')
process.exitCode = report(output)

/** Prints the violations by rule and returns the exit code. */
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
    console.error(`${summary.violations.length} imports violate a boundary (${ours.length} modules read).`)
    return 1
  }
  for (const [folder, minimum] of Object.entries(minModules)) {
    const read = ours.filter(
      ({ source, dependencies }) => isIn(folder, source) && dependencies.length > 0,
    ).length
    if (read >= minimum) continue
    console.error(
      `Only ${read} modules of ${folder} with an import were read, but at least ${minimum} are expected. Check that dependency-cruiser supports this version of TypeScript.`,
    )
    return 1
  }
  const unused = unusedLines(ours)
  if (unused.length > 0) {
    console.error(`Remove these lines of feature-lines.ts, which no import uses: ${unused.join(', ')}`)
    return 1
  }
  const callbacks = checkCallbacks(findCallbacks(readContext(), apiSources))
  if (callbacks.length > 0) {
    console.error(`Keep callbackLines in feature-lines.ts as the context is:\n${callbacks.join('\n')}`)
    return 1
  }
  const circles = checkFolderCircles(ours)
  if (circles.length > 0) {
    console.error(`Folders that import each other are one room, or hide a third:\n${circles.join('\n')}`)
    return 1
  }
  const large = listTooLarge()
  if (large.length > 0) {
    console.error(`Split these by idea:\n${large.join('\n')}`)
    return 1
  }
  console.log(`All imports respect the boundaries: ${ours.length} modules, ${imports} imports.`)
  return 0
}

/** Returns the sources and functions that are too long and the folders that hold too many, each with its size. */
function listTooLarge(): string[] {
  const listed = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.cjs', '*.css'], { encoding: 'utf8' })
  const files = listed.trim().split('\n')
  const texts = files.map((file) => [file, readFileSync(file, 'utf8')] as const)
  const lengths = texts.map(([file, text]) => [file, text.split('\n').length - 1] as const)
  const scripts = texts.filter(([file]) => !file.endsWith('.css'))
  const folders = Map.groupBy(
    files.filter((file) => !/\.(test|spec)\./.test(file)),
    (file) => dirname(file),
  )
  return [
    ...lengths.filter(([, lines]) => lines > maxLines).map(([file, lines]) => `${file}: ${lines} lines`),
    ...[...folders]
      .filter(([, held]) => held.length > maxFilesOfFolder)
      .map(([folder, held]) => `${folder}: ${held.length} files`),
    ...checkFunctionLengths(scripts.flatMap(([file, text]) => findLongFunctions(file, text))),
  ]
}

function readContext(): ts.Program {
  const file = resolve('tsconfig.base.json')
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(file, ts.sys.readFile).config,
    ts.sys,
    resolve('.'),
  )
  return readProgram(`${apiSources}/context.ts`, options)
}

function unusedLines(modules: ICruiseResult['modules']): string[] {
  const folderOf = (feature: string) => `apps/api/src/features/${feature}`
  const lines = Object.entries(featureLines).flatMap(([from, entered]) =>
    Object.keys(entered).map((to) => ({ from, to })),
  )
  return lines
    .filter(({ from, to }) =>
      modules
        .filter(({ source }) => isIn(folderOf(from), source) && !source.endsWith('.test.ts'))
        .every(({ dependencies }) =>
          dependencies.every(({ resolved }) => resolved !== `${folderOf(to)}/index.ts`),
        ),
    )
    .map(({ from, to }) => `${from} → ${to}`)
}

function isIn(folder: string, file: string): boolean {
  return file.startsWith(`${folder}/`)
}
