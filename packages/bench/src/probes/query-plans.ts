import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import type { Row } from '../results/table.ts'

/** The parts of a plan that are used here. */
type PlanNode = {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Actual Rows'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: PlanNode[]
}
type LoggedPlan = { 'Query Text': string; Plan: PlanNode }

/** An executed query with its duration and plan. */
export type ExecutedQuery = { ms: number; plan: LoggedPlan }

// A few rows found by an index, with the rows that belong to them, take far fewer.
const maxPages = 100

/**
 * Runs `work`, and returns the queries on these tables that the site sent meanwhile, each with its plan, its duration and
 * the pages it read. The site opens new connections for them.
 */
export async function explainQueries<Site extends { database: pg.Client }>(
  site: Site,
  { logFile, tables }: { logFile: string; tables: RegExp },
  work: (site: Site) => Promise<void>,
): Promise<ExecutedQuery[]> {
  const { rows } = await site.database.query<{ name: string }>('SELECT current_database() AS name')
  const name = rows[0]?.name ?? ''
  const settings: [string, string][] = [
    ['session_preload_libraries', 'auto_explain'],
    ['auto_explain.log_min_duration', '0'],
    ['auto_explain.log_analyze', 'on'],
    ['auto_explain.log_buffers', 'on'],
    ['auto_explain.log_format', 'json'],
  ]
  for (const [setting, value] of settings) {
    await site.database.query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`)
  }
  // The settings apply to new connections only. The site reconnects when its connections are ended.
  await site.database.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  const before = (await readFile(logFile, 'utf8')).length
  await work(site)
  const log = (await readFile(logFile, 'utf8')).slice(before)
  return parsePlans(log, tables)
}

/** Parses the queries on these tables in a server's log. */
export function parsePlans(log: string, tables: RegExp): ExecutedQuery[] {
  return [...log.matchAll(/duration: ([\d.]+) ms {2}plan:\n(\t\{\n[\s\S]*?\n\t\})/g)].flatMap(
    ([, ms, text]) => {
      const plan: LoggedPlan = JSON.parse(text ?? '')
      return tables.test(plan['Query Text']) ? [{ ms: Number(ms), plan }] : []
    },
  )
}

/** Returns for each query the execution that read the most pages. */
export function worstOfEach(queries: readonly ExecutedQuery[]): ExecutedQuery[] {
  const worst = new Map<string, ExecutedQuery>()
  for (const query of queries) {
    const text = query.plan['Query Text']
    const known = worst.get(text)
    if (known === undefined || pagesOf(query.plan.Plan) > pagesOf(known.plan.Plan)) worst.set(text, query)
  }
  return [...worst.values()]
}

/** Returns a line for the query and one for each step that reads a table or an index. */
export function describePlan({ ms, plan }: ExecutedQuery): string[] {
  const query = plan['Query Text'].replaceAll(/\s+/g, ' ').replaceAll('"', '')
  const shown = query.length > 100 ? `${query.slice(0, 100)}…` : query
  return [
    `  ${ms.toFixed(2)} ms  ${shown}`,
    ...nodesOf(plan.Plan).map((node) => `        ${describeNode(node)}`),
  ]
}

/**
 * Returns whether a query reads a whole table, or so many pages that it slows down as the table grows. `growing` names the
 * tables and indexes that count; by default, all do.
 */
export function isBroad({ plan }: ExecutedQuery, growing = /./): boolean {
  return nodesOf(plan.Plan).some((node) => {
    if (!growing.test(node['Relation Name'] ?? node['Index Name'] ?? '')) return false
    const kind = node['Node Type']
    // Writes touch many pages in a table of any size.
    return kind === 'Seq Scan' || (kind.includes('Scan') && pagesOf(node) > maxPages)
  })
}

/** Returns the row of the table with the number of queries that read more than an index points to. */
export function broadQueriesRow(what: string, queries: readonly ExecutedQuery[], growing?: RegExp): Row {
  if (queries.length === 0) throw new Error(`Postgres logged no query ${what}.`)
  const broad = queries.filter((query) => isBroad(query, growing)).length
  return {
    measure: `${queries.length} queries ${what}, those that read more than by index`,
    figure: String(broad),
    target: '0',
    passed: broad === 0,
  }
}

function nodesOf(node: PlanNode): PlanNode[] {
  const inner = (node.Plans ?? []).flatMap(nodesOf)
  return node['Relation Name'] || node['Index Name'] ? [node, ...inner] : inner
}

function describeNode(node: PlanNode): string {
  const index = node['Index Name'] ? ` by ${node['Index Name']}` : ''
  return `${node['Node Type']}${node['Relation Name'] ? ` of ${node['Relation Name']}` : ''}${index}: ${node['Actual Rows'] ?? 0} rows, ${pagesOf(node)} pages`
}

function pagesOf(node: PlanNode): number {
  return (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0)
}
