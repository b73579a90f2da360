import lighthouse, { type Result } from 'lighthouse'

export type Category = 'performance' | 'accessibility' | 'best-practices'

/** Runs Lighthouse's audits of some categories on a page in a running browser, which keeps its cookies and storage. */
export async function auditPage(url: string, port: number, onlyCategories: Category[]): Promise<Result> {
  // Clearing the profile would remove the gate pass.
  const run = await lighthouse(url, { port, onlyCategories, logLevel: 'silent', disableStorageReset: true })
  if (!run) throw new Error('Lighthouse gave no result.')
  if (run.lhr.runtimeError) throw new Error(`Lighthouse failed: ${run.lhr.runtimeError.message}`)
  return run.lhr
}

/** Returns a score of at most 100. */
export function scoreOf({ categories: scored }: Result, category: Category): number {
  return Math.round((scored[category]?.score ?? 0) * 100)
}

/** Describes the audits that cost points in any run. */
export function describeFailures(results: Result[], categories: Category[]): string[] {
  const lines = results.flatMap((result) =>
    categories.flatMap((category) =>
      (result.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
        const audit = result.audits[id]
        if (!audit || audit.score === null || audit.score >= 0.9 || weight === 0) return []
        const nodes = nodesOf(audit.details).slice(0, 5)
        const value = audit.displayValue ? `: ${audit.displayValue}` : ''
        return [`  ${category}: ${audit.title}${value}${nodes.map((node) => `\n      ${node}`).join('')}`]
      }),
    ),
  )
  return [...new Set(lines)]
}

function nodesOf(details: unknown): string[] {
  if (typeof details !== 'object' || details === null || !('items' in details)) return []
  const items: unknown[] = Array.isArray(details.items) ? details.items : []
  return items.map((item) => JSON.stringify(item).slice(0, 300))
}
