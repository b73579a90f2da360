// Finds circles of folders: `boundaries.ts` prints them.
import { dirname } from 'node:path'

/** A module and the modules that it imports. */
export type ImportingModule = { source: string; dependencies: readonly { resolved: string }[] }

const testCode = /\.(test|spec|config)\.tsx?$|\/(testing|e2e|examples)\/|^apps\/api\/(test|seed)\//

/** Returns a line for each circle of folders. */
export function checkFolderCircles(modules: readonly ImportingModule[]): string[] {
  return findCircles(importsOfFolders(modules)).map((circle) => circle.toSorted().join(' ↔ '))
}

/** Returns which folders each folder imports. What composes a folder is a folder of its own. */
function importsOfFolders(modules: readonly ImportingModule[]): Map<string, Set<string>> {
  const ours = new Set(modules.map(({ source }) => source).filter((source) => !testCode.test(source)))
  const imports = new Map<string, Set<string>>()
  for (const { source, dependencies } of modules) {
    if (!ours.has(source)) continue
    const from = folderOf(source)
    const entered = imports.get(from) ?? new Set()
    imports.set(from, entered)
    for (const { resolved } of dependencies)
      if (ours.has(resolved) && folderOf(resolved) !== from) entered.add(folderOf(resolved))
  }
  return imports
}

/** Returns a file's folder; the file itself if it composes its folder: a door, or the routes of a feature. */
function folderOf(file: string): string {
  const composes = /\/index\.ts$/.test(file) || /\/features\/([a-z-]+)\/\1\.routes\.ts$/.test(file)
  return composes ? file : dirname(file)
}

/** Returns the groups of folders that reach each other (Tarjan's strongly connected components). */
function findCircles(imports: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>()
  const path: string[] = []
  const circles: string[][] = []

  function visit(folder: string): number {
    const own = order.size
    order.set(folder, own)
    path.push(folder)
    let low = own
    for (const next of imports.get(folder) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (path.includes(next)) low = Math.min(low, order.get(next) ?? low)
    }
    if (low === own) {
      const circle = path.splice(path.indexOf(folder))
      if (circle.length > 1) circles.push(circle)
    }
    return low
  }

  for (const folder of imports.keys()) if (!order.has(folder)) visit(folder)
  return circles
}
