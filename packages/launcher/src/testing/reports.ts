import { existsSync } from 'node:fs'
import { glob, readFile, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { repositoryRoot } from '../repository.ts'
import { type Results, vitestResults } from './results.ts'
import { reportsFolder } from './vitest-reports.ts'

/** The end-to-end tests' report, written by Playwright. */
export const endToEndReport = join(repositoryRoot, reportsFolder, 'e2e.json')

/** What one report said, or why it said nothing. */
export type Outcome = ({ name: string } & Results) | { name: string; problem: string }

/** The reports that a task of turbo's must leave: one per package that has the task. */
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

/** Deletes the reports of earlier runs, so that none of them can pass for this one's. */
export async function clearReports() {
  const folders = (await packageManifests()).map((manifest) => join(dirname(manifest), reportsFolder))
  for (const folder of [...folders, join(repositoryRoot, reportsFolder)]) {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Reads one report; an absent or unreadable one is a problem, not an error. */
export async function readReport(
  path: string,
  resultsOf: (report: unknown) => Results = vitestResults,
): Promise<Outcome> {
  const name = relative(repositoryRoot, path)
  if (!existsSync(path)) return { name, problem: 'was not written: the tests did not run to their end' }
  try {
    return { name, ...resultsOf(JSON.parse(await readFile(path, 'utf8'))) }
  } catch (error) {
    return { name, problem: `cannot be read: ${error instanceof Error ? error.message : error}` }
  }
}

async function packageManifests() {
  const manifests: string[] = []
  for await (const path of glob(['apps/*/package.json', 'packages/*/package.json', 'prisma/package.json'], {
    cwd: repositoryRoot,
  })) {
    manifests.push(join(repositoryRoot, path))
  }
  return manifests
}
