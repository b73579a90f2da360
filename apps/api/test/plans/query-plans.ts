import pg from 'pg'
import { z } from 'zod'
import type { TestApp } from '../test-app.ts'

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string | undefined
  'Index Name'?: string | undefined
  Filter?: string | undefined
  'Actual Rows'?: number | undefined
  Plans?: PlanNode[] | undefined
}

const nodeSchema: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    Filter: z.string().optional(),
    'Actual Rows': z.number().optional(),
    Plans: z.array(nodeSchema).optional(),
  }),
)
const planSchema = z.object({ 'Query Text': z.string(), Plan: nodeSchema })

/** A query that the site sent, its tables, those that it read as a whole, and of these those that it searched. */
export type ReadQuery = {
  text: string
  tables: string[]
  scanned: string[]
  searched: string[]
  steps: string[]
}

/**
 * Lets Postgres explain each query of a site, and returns a function that returns those of some work.
 */
export async function explainQueries(
  site: TestApp,
): Promise<(work: () => Promise<unknown>) => Promise<ReadQuery[]>> {
  const { pool } = site.context.database
  const queries: ReadQuery[] = []
  pool.on('connect', (client) => listen(client))
  function listen(client: Pick<pg.Client, 'on'>): void {
    client.on('notice', ({ message = '' }) => {
      const [, json] = /^duration: [\d.]+ ms {2}plan:\n([\s\S]*)$/.exec(message) ?? []
      if (json !== undefined) queries.push(readQuery(json))
    })
  }
  const settings: Record<string, string> = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
    client_min_messages: 'notice',
  }
  const admin = new pg.Client({ connectionString: site.context.config.database.url })
  await admin.connect()
  const { rows } = await admin.query<{ name: string }>('SELECT current_database() AS name')
  for (const [setting, value] of Object.entries(settings)) {
    await admin.query(`ALTER DATABASE ${rows[0]?.name} SET ${setting} = '${value}'`)
  }
  // Only new connections explain.
  await admin.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  await admin.end()
  return async (work) => {
    queries.length = 0
    await work()
    return [...queries]
  }
}

function readQuery(json: string): ReadQuery {
  const { 'Query Text': text, Plan } = planSchema.parse(JSON.parse(json))
  const nodes = nodesOf(Plan)
  const scans = nodes.filter((node) => node['Node Type'].endsWith('Seq Scan'))
  const tablesOf = (some: readonly PlanNode[]) => some.flatMap((node) => node['Relation Name'] ?? [])
  return {
    text,
    tables: tablesOf(nodes),
    scanned: tablesOf(scans),
    searched: tablesOf(scans.filter(({ Filter }) => Filter !== undefined)),
    steps: nodes.map(
      (node) =>
        `${node['Node Type']} ${node['Relation Name'] ?? ''} ${node['Index Name'] ?? ''}: ${node['Actual Rows']} rows`,
    ),
  }
}

/** Returns the steps of a plan that read a table or an index. */
function nodesOf(node: PlanNode): PlanNode[] {
  const inner = (node.Plans ?? []).flatMap(nodesOf)
  return node['Relation Name'] === undefined && node['Index Name'] === undefined ? inner : [node, ...inner]
}
