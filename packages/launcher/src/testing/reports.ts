import { existsSync } from 'node:fs'
import { glob, readFile, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { repositoryRoot } from '../process/repository.ts'
import { type Results, vitestResults } from './results.ts'
import { reportsFolder } from './vitest-reports.ts'

/** The report that Playwright writes. */
export const endToEndReport = join(repositoryRoot, reportsFolder, 'e2e.json')

/** The content of a report, or why it could not be read. */
export type Outcome = ({ name: string } & Results) | { name: string; problem: string }

/** Returns the reports that a turbo task must write: one per package that has the task. */
export async function expectedReports(task: 'test:unit' | 'test:integration'): Promise<string[]> {
  const reports: string[] = []
  for (const manifest of await packageManifests()) {
    const parsed: unknown = JSON.parse(await readFile(manifest, 'utf8'))
    const scripts = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'scripts') : undefined
    if (typeof scripts !== 'object' || scripts === null || !(task in scripts)) continue
    reports.push(join(dirname(manifest), reportsFolder, `${task.slice('test:'.length)}.json`))
  }
  return reports.sort()
}

/** Deletes the reports of earlier runs, so that none counts for this run. */
export async function clearReports() {
  const folders = (await packageManifests()).map((manifest) => join(dirname(manifest), reportsFolder))
  for (const folder of [...folders, join(repositoryRoot, reportsFolder)]) {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Reads a report. A missing or invalid one is returned as a problem. */
export async function readReport(
  path: string,
  resultsOf: (report: unknown) => Results = vitestResults,
): Promise<Outcome> {
  const name = relative(repositoryRoot, path)
  if (!existsSync(path)) return { name, problem: 'is missing: the tests did not finish' }
  try {
    return { name, ...resultsOf(JSON.parse(await readFile(path, 'utf8'))) }
  } catch (error) {
    return { name, problem: `is invalid: ${error instanceof Error ? error.message : error}` }
  }
}

async function packageManifests() {
  const manifests: string[] = []
  for await (const path of glob(
    ['package.json', 'apps/*/package.json', 'packages/*/package.json', 'prisma/package.json'],
    {
      cwd: repositoryRoot,
    },
  )) {
    manifests.push(join(repositoryRoot, path))
  }
  return manifests
}
